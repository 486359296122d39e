// Bulk actions on students: sent in batches, with a result for each.
import type { components } from '../openapi.ts';

export type StudentsOutcome = { done: number[]; failures: { id: number; message: string }[] };

/** Sends one batch. */
type SendBatch = (ids: number[]) => Promise<components['schemas']['StudentsDone']>;

/** The server's limit per request. */
export const portion = 200;

/** A failed batch ends the action: its students and those after them are reported as failed. */
export async function runInBatches(send: SendBatch, ids: readonly number[], words: (error: Error) => string): Promise<StudentsOutcome> {
  const outcome: StudentsOutcome = { done: [], failures: [] };
  for (let from = 0; from < ids.length; from += portion) {
    const now = ids.slice(from, from + portion);
    try {
      // Sequential: the server writes them in this order.
      // oxlint-disable-next-line no-await-in-loop
      const { results } = await send(now);
      for (const { id, ok, message } of results) {
        if (ok) outcome.done.push(id);
        else outcome.failures.push({ id, message: message ?? 'It did not work.' });
      }
    } catch (error) {
      // Nothing was done: the caller reports it and keeps the input.
      if (from === 0 || !(error instanceof Error)) throw error;
      outcome.failures.push(...ids.slice(from).map((id) => ({ id, message: words(error) })));
      break;
    }
  }
  return outcome;
}
