// Bulk decisions: sent in batches, with a result for each.
import { failureWords, postJson } from '../../api.ts';
import type { OfficeEnrollment, Requirement, Undo } from '../../api-types.ts';
import type { components } from '../../openapi.ts';
import { type Decided, decidedHere } from '../decisionResults.ts';

/** Sends one batch. */
type SendBatch = (ids: number[]) => Promise<components['schemas']['BulkDecided_Decided']>;

export type Failure = { id: number; message: string };

export type BulkOutcome = { decided: Record<number, Decided>; failures: Failure[]; undos: Undo[] };

/** The server's limit per request. */
const portion = 200;

/** Sends a decision in batches; failed rows stay undecided. */
export async function decideInBatches(send: SendBatch, ids: readonly number[], outcome: BulkOutcome): Promise<BulkOutcome> {
  for (let from = 0; from < ids.length; from += portion) {
    // Sequential: the server writes them in this order.
    const rest = ids.slice(from);
    let answer;
    try {
      // oxlint-disable-next-line no-await-in-loop
      answer = await send(rest.slice(0, portion));
    } catch (error) {
      if (Object.keys(outcome.decided).length === 0 && outcome.failures.length === 0) throw error;
      // Earlier batches are kept and can be undone; repeating the rest is harmless.
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

/** Approves requests; one reason covers all missing required items. */
export async function approveMany(rows: readonly OfficeEnrollment[], reason: string): Promise<BulkOutcome> {
  const outcome: BulkOutcome = { decided: {}, failures: [], undos: [] };
  const free = rows.filter(({ required }) => required.length === 0);
  const held = rows.filter(({ required }) => required.length > 0);
  const needed = [...new Set(held.flatMap(({ required }) => required))].filter((one) => !final.has(one));
  const override = Object.fromEntries(needed.map((one) => [one, reason.trim()]));
  await decideInBatches((ids) => postJson('/api/admin/enrollments/approve', { ids }), free.map(({ id }) => id), outcome);
  return decideInBatches((ids) => postJson('/api/admin/enrollments/approve', { ids, override }), held.map(({ id }) => id), outcome);
}

/** What no reason makes up for: the server says why for each. */
const final: ReadonlySet<Requirement> = new Set(['section_cancelled', 'ended']);

/** The missing items in words. */
export const missingWords = {
  section_cancelled: 'section cancelled',
  ended: 'course ended',
  archived: 'out of the catalogue',
  profile: 'profile incomplete',
  guardian: 'guardian not confirmed',
  documents: 'documents missing',
  capacity: 'class full',
} satisfies Record<Requirement, string>;

/** The short form, for a narrow column. */
export const shortWords = { section_cancelled: 'section', ended: 'ended', archived: 'catalogue', profile: 'profile', guardian: 'guardian', documents: 'documents', capacity: 'seat' } satisfies Record<Requirement, string>;

export function missingText(missing: readonly Requirement[]): string {
  return missing.map((one) => missingWords[one]).join(', ');
}

/** The plural form, for several students. */
const manyWords = {
  section_cancelled: 'for a cancelled section',
  ended: 'for a course that has ended',
  archived: 'for a course out of the catalogue',
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
