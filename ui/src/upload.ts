// Sends a file, says how much of it has left, and can be stopped.
import { ApiError, read, tooSlow, unreachable } from './api.ts';
import type { Address, AnswerOf } from './endpoints.ts';

/** An upload may take as long as it needs while it moves, and its answer a while longer. */
const stalled_ms = 30_000;
const unanswered_ms = 60_000;

type Upload = { signal: AbortSignal; onProgress: (sent: number) => void };

/** Sends a form with a file. `onProgress` is called with the part, 0 to 1, that has left this machine. */
export function postForm<P extends string>(path: Address<'post', P>, form: FormData, { signal, onProgress }: Upload): Promise<AnswerOf<'post', P>> {
  // fetch() cannot report how much of a body was sent.
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
