// One upload at a time: how much of it has left, what went wrong, and a way to stop it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, failureWords, isSignedOut } from '../api.ts';
import type { DocumentType } from '../api-types.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { uploadDocument } from './queries.ts';

type Stage =
  | { name: 'ready' }
  /** `sent` is the part, 0 to 1, that has left this machine. */
  | { name: 'sending'; sent: number }
  | { name: 'cancelled' }
  | { name: 'failed'; words: string };

type Upload = {
  /** Whose document it is, where the office uploads it for somebody. */
  studentId: number | undefined;
  onUploaded: () => void;
  /** The server does not take this file; sending it again would not help. */
  onRefused: (words: string) => void;
};

export function useUpload({ studentId, onUploaded, onRefused }: Upload) {
  const client = useQueryClient();
  const uploading = useMutation(uploadDocument);
  const [stage, setStage] = useState<Stage>({ name: 'ready' });
  const current = useRef<AbortController>(null);
  // Whoever leaves the dialog stops what is on its way.
  useEffect(() => () => current.current?.abort(), []);

  async function start(file: File, documentType: DocumentType) {
    const { signal } = (current.current = new AbortController());
    setStage({ name: 'sending', sent: 0 });
    try {
      const onProgress = (sent: number) => !signal.aborted && setStage({ name: 'sending', sent });
      await uploading.mutateAsync({ studentId, file, documentType, signal, onProgress });
    } catch (error) {
      if (signal.aborted) return setStage({ name: 'cancelled' });
      const words = report(error);
      if (mayRetry(error)) return setStage({ name: 'failed', words });
      setStage({ name: 'ready' });
      return onRefused(words);
    }
    await client.invalidateQueries({ queryKey: ['documents'] });
    showToast('Document Uploaded', studentId === undefined ? 'Your document has been successfully uploaded.' : 'The student sees that it came from the office.');
    onUploaded();
  }

  return {
    stage,
    start,
    cancel: () => current.current?.abort(),
    reset: () => setStage({ name: 'ready' }),
  };
}

/** No answer, too many requests, a server with a problem or a session that ended: the same file may go through later. */
function mayRetry(error: unknown): boolean {
  return !(error instanceof ApiError) || [0, 401, 429].includes(error.status) || error.status >= 500;
}

/** Reports a failure in a toast (section 8) and returns its words for the dialog. */
function report(error: unknown): string {
  // Another dialog asks to log in again; nothing that was chosen is lost meanwhile.
  if (isSignedOut(error)) return 'The document was not sent, because your session had ended. Please upload it again.';
  const [aboutField] = error instanceof ApiError ? Object.values(error.fields) : [];
  const words = aboutField ?? failureWords(error, 'Failed to upload document');
  showFailure('Upload Failed', words);
  return words;
}
