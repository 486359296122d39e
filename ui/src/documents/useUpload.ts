// State of one upload: progress, failure and cancellation.
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

/** Sends a file, and tells how much of it has left this machine. */
export type SendFile = (upload: Omit<Parameters<typeof uploadDocument.mutationFn>[0], 'studentId'>) => Promise<unknown>;

type Upload = {
  /** The student, if the office uploads. */
  studentId: number | undefined;
  /** Where the file goes, if not to a student. */
  send?: SendFile | undefined;
  onUploaded: () => void;
  /** Called if the server refuses the file, so that retrying would not help. */
  onRefused: (words: string) => void;
};

export function useUpload({ studentId, send, onUploaded, onRefused }: Upload) {
  const client = useQueryClient();
  const uploading = useMutation({ mutationKey: uploadDocument.mutationKey, mutationFn: send ?? ((upload: Parameters<SendFile>[0]) => uploadDocument.mutationFn({ ...upload, studentId })) });
  const [stage, setStage] = useState<Stage>({ name: 'ready' });
  const current = useRef<AbortController>(null);
  // Leaving the dialog stops the upload.
  useEffect(() => () => current.current?.abort(), []);

  async function start(file: File, documentType: DocumentType, label: string) {
    const { signal } = (current.current = new AbortController());
    setStage({ name: 'sending', sent: 0 });
    try {
      const onProgress = (sent: number) => !signal.aborted && setStage({ name: 'sending', sent });
      await uploading.mutateAsync({ file, documentType, label, signal, onProgress });
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

/** Whether the same file may succeed later: no response, too many requests, a server error or an ended session. */
function mayRetry(error: unknown): boolean {
  return !(error instanceof ApiError) || [0, 401, 429].includes(error.status) || error.status >= 500;
}

/** Shows a failure in a toast (section 8) and returns its message. */
function report(error: unknown): string {
  // The login dialog opens; the selection is kept.
  if (isSignedOut(error)) return 'The document was not sent, because your session had ended. Please upload it again.';
  const [aboutField] = error instanceof ApiError ? Object.values(error.fields) : [];
  const words = aboutField ?? failureWords(error, 'Failed to upload document');
  showFailure('Upload Failed', words);
  return words;
}
