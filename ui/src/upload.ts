// Uploads a file with progress and cancellation.
import { ApiError, read, tooSlow, unreachable } from './api.ts';
import type { Address, AnswerOf } from './endpoints.ts';

/** Timeout of an upload without progress, and of its response. */
const stalled_ms = 30_000;
const unanswered_ms = 60_000;

type Upload = { signal: AbortSignal; onProgress: (sent: number) => void };

/** Sends a form with a file. `onProgress` gets the sent fraction, 0 to 1. */
export function postForm<P extends string>(path: Address<'post', P>, form: FormData, { signal, onProgress }: Upload): Promise<AnswerOf<'post', P>> {
  // fetch() cannot report upload progress.
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open('POST', path);
    let limit: ReturnType<typeof setTimeout>;
    const giveUpAfter = (time_ms: number) => {
      clearTimeout(limit);
      limit = setTimeout(() => {
        reject(new ApiError(0, tooSlow));
        call.abort();
      }, time_ms);
    };
    call.upload.addEventListener('progress', (event) => {
      giveUpAfter(stalled_ms);
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    });
    call.upload.addEventListener('load', () => giveUpAfter(unanswered_ms));
    call.addEventListener('loadend', () => clearTimeout(limit));
    call.addEventListener('error', () => reject(new ApiError(0, unreachable)));
    call.addEventListener('load', () => {
      try {
        resolve(read<AnswerOf<'post', P>>(call.status, call.responseText, call.statusText, (name) => call.getResponseHeader(name)));
      } catch (error) {
        reject(error as Error);
      }
    });
    signal.addEventListener('abort', () => {
      call.abort();
      reject(signal.reason as Error);
    });
    giveUpAfter(stalled_ms);
    call.send(form);
  });
}
