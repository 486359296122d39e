// One upload at a time: how much of it has left, what went wrong, and a way to stop it.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, failureWords, isSignedOut } from '../api.ts';
import { showFailure, showToast } from '../components/toasts.ts';
import { uploadDocument } from './queries.ts';

type Stage =
  | { name: 'ready' }
  /** `sent` is the part, 0 to 1, that has left this machine. */
  | { name: 'sending'; sent: number }
  | { name: 'cancelled' }
  | { name: 'failed'; words: string };

export function useUpload(onUploaded: () => void) {
  const client = useQueryClient();
  const uploading = useMutation(uploadDocument);
  const [stage, setStage] = useState<Stage>({ name: 'ready' });
  const current = useRef<AbortController>(null);
  // Whoever leaves the dialog stops what is on its way.
  useEffect(() => () => current.current?.abort(), []);

  async function start(file: File, documentType: string) {
    const { signal } = (current.current = new AbortController());
    setStage({ name: 'sending', sent: 0 });
    try {
      const onProgress = (sent: number) => !signal.aborted && setStage({ name: 'sending', sent });
      await uploading.mutateAsync({ file, documentType, signal, onProgress });
    } catch (error) {
      setStage(signal.aborted ? { name: 'cancelled' } : { name: 'failed', words: tell(error) });
      return;
    }
    await client.invalidateQueries({ queryKey: ['documents'] });
    showToast('Document Uploaded', 'Your document has been successfully uploaded.');
    onUploaded();
  }

  return {
    stage,
    start,
    cancel: () => current.current?.abort(),
    reset: () => setStage({ name: 'ready' }),
  };
}

/** Tells of a failure in a toast (section 8) and returns its words for the dialog. */
function tell(error: unknown): string {
  // Another dialog asks to log in again; nothing that was chosen is lost meanwhile.
  if (isSignedOut(error)) return 'The document was not sent, because your session had ended. Please upload it again.';
  const [aboutField] = error instanceof ApiError ? Object.values(error.fields) : [];
  const words = aboutField ?? failureWords(error, 'Failed to upload document');
  showFailure('Upload Failed', words);
  return words;
}
