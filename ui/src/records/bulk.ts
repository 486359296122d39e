// One thing done with many students: sent in portions, and what became of each.
import type { components } from '../openapi.ts';

export type StudentsOutcome = { done: number[]; failures: { id: number; message: string }[] };

/** Sends it for several students. */
type Send = (ids: number[]) => Promise<components['schemas']['StudentsDone']>;

/** The server's limit per request. */
export const portion = 200;

/** A portion that does not get through leaves its students, and those after them, undone and says why. */
export async function doWithMany(send: Send, ids: readonly number[], words: (error: Error) => string): Promise<StudentsOutcome> {
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
      // Nothing was done at all: whoever asked says so, and everything typed stays.
      if (from === 0 || !(error instanceof Error)) throw error;
      outcome.failures.push(...ids.slice(from).map((id) => ({ id, message: words(error) })));
      break;
    }
  }
  return outcome;
}
