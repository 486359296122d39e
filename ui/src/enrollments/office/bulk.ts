// Many decisions with one press: sent in portions, and what became of each.
import { failureWords, postJson } from '../../api.ts';
import type { OfficeEnrollment, Requirement, Undo } from '../../api-types.ts';
import type { components } from '../../openapi.ts';
import { type Decided, decidedHere } from '../decided.ts';

/** Sends one decision about several. */
type Send = (ids: number[]) => Promise<components['schemas']['BulkDecided']>;

export type Failure = { id: number; message: string };

export type Outcome = { decided: Record<number, Decided>; failures: Failure[]; undos: Undo[] };

/** As many as the server takes at once. */
const portion = 200;

/** Sends the decision about these, a portion after the other; what failed stays undecided. */
export async function decideMany(send: Send, ids: readonly number[], outcome: Outcome): Promise<Outcome> {
  for (let from = 0; from < ids.length; from += portion) {
    // One after the other: the server writes them in this order.
    const rest = ids.slice(from);
    let answer;
    try {
      // oxlint-disable-next-line no-await-in-loop
      answer = await send(rest.slice(0, portion));
    } catch (error) {
      if (Object.keys(outcome.decided).length === 0 && outcome.failures.length === 0) throw error;
      // What earlier portions decided stands, and has its way back; deciding the rest again harms nothing.
      const message = failureWords(error, 'It was not decided. Please try again.');
      outcome.failures.push(...rest.map((id) => ({ id, message })));
      return outcome;
    }
    for (const { id, row, message } of answer.results) {
      if (row) outcome.decided[id] = decidedHere(row, 'Already decided by a colleague');
      else outcome.failures.push({ id, message: message ?? 'It could not be decided.' });
    }
    if (answer.undo) outcome.undos.push(answer.undo);
  }
  return outcome;
}

/** Approves requests; those that need a reason share one, named for everything that is required. */
export async function approveMany(rows: readonly OfficeEnrollment[], reason: string): Promise<Outcome> {
  const outcome: Outcome = { decided: {}, failures: [], undos: [] };
  const free = rows.filter(({ required }) => required.length === 0);
  const held = rows.filter(({ required }) => required.length > 0);
  const needed = [...new Set(held.flatMap(({ required }) => required))];
  const override = Object.fromEntries(needed.map((one) => [one, reason.trim()]));
  await decideMany((ids) => postJson('/api/admin/enrollments/approve', { ids }), free.map(({ id }) => id), outcome);
  return decideMany((ids) => postJson('/api/admin/enrollments/approve', { ids, override }), held.map(({ id }) => id), outcome);
}

/** What is missing, as a person says it. */
export const missingWords = {
  profile: 'profile incomplete',
  guardian: 'guardian not confirmed',
  documents: 'documents missing',
  capacity: 'class full',
} satisfies Record<Requirement, string>;

/** The same for a narrow column. */
export const shortWords = { profile: 'profile', guardian: 'guardian', documents: 'documents', capacity: 'seat' } satisfies Record<Requirement, string>;

export function missingText(missing: readonly Requirement[]): string {
  return missing.map((one) => missingWords[one]).join(', ');
}

/** The same of several students. */
const manyWords = {
  profile: 'with an incomplete profile',
  guardian: 'without a guardian’s confirmation',
  documents: 'without all documents',
  capacity: 'for a full class',
} satisfies Record<Requirement, string>;

/** "37 of 40 are ready. Of the others: 2 without a guardian’s confirmation, 1 for a full class." */
export function readinessText(rows: readonly OfficeEnrollment[]): string {
  const ready = rows.filter(({ missing }) => missing.length === 0).length;
  const counts = (Object.keys(missingWords) as Requirement[])
    .map((one) => ({ words: manyWords[one], count: rows.filter(({ missing }) => missing.includes(one)).length }))
    .filter(({ count }) => count > 0)
    .map(({ words, count }) => `${count} ${words}`);
  const first = ready === rows.length ? `All ${ready} are ready.` : `${ready} of ${rows.length} ${ready === 1 ? 'is' : 'are'} ready.`;
  return counts.length > 0 ? `${first} Of the others: ${counts.join(', ')}.` : first;
}
