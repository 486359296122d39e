// State of one picture upload: progress, failure and cancellation.
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isSignedOut } from '../api.ts';
import type { UploadedPicture } from '../api-types.ts';
import { mayRetry, pictureProblem, uploadWords } from './picture.ts';
import { uploadPicture } from './queries.ts';

type Stage =
  | { name: 'ready' }
  /** `sent` is the part, 0 to 1, that has left this machine. */
  | { name: 'sending'; file: File; sent: number }
  /** `file` may be sent again as it is. */
  | { name: 'failed'; words: string; file: File | null };

export function usePictureUpload(onUploaded: (picture: UploadedPicture) => void) {
  const uploading = useMutation(uploadPicture);
  const [stage, setStage] = useState<Stage>({ name: 'ready' });
  const current = useRef<AbortController>(null);
  // Leaving the page or removing the row cancels the upload.
  useEffect(() => () => current.current?.abort(), []);

  async function send(file: File) {
    const { signal } = (current.current = new AbortController());
    setStage({ name: 'sending', file, sent: 0 });
    try {
      const onProgress = (sent: number) => !signal.aborted && setStage({ name: 'sending', file, sent });
      const picture = await uploading.mutateAsync({ file, signal, onProgress });
      setStage({ name: 'ready' });
      onUploaded(picture);
    } catch (error) {
      if (signal.aborted) return setStage({ name: 'failed', words: 'The upload was cancelled.', file });
      const words = isSignedOut(error) ? 'The picture was not sent, because your session had ended.' : uploadWords(error);
      setStage({ name: 'failed', words, file: mayRetry(error) ? file : null });
    }
  }

  return {
    stage,
    choose: (files: FileList | null) => {
      const [file, ...others] = files ?? [];
      if (!file || stage.name === 'sending') return;
      const words = others.length > 0 ? 'Please choose one picture at a time.' : pictureProblem(file);
      if (words) setStage({ name: 'failed', words, file: null });
      else void send(file);
    },
    cancel: () => current.current?.abort(),
    retry: () => stage.name === 'failed' && stage.file && void send(stage.file),
  };
}
