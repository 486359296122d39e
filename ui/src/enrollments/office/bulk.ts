// Bulk decisions: sent in batches, with a result for each.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { failureWords, postJson } from '../../api.ts';
import type { OfficeEnrollment, Requirement, Undo } from '../../api-types.ts';
import { moneyText } from '../../money.ts';
import type { components } from '../../openapi.ts';
import { type Decided, decidedHere } from '../decisionResults.ts';
import { officeKey } from '../queries.ts';

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

type Approval = components['schemas']['BulkApproveForm'];

/**
 * Requests to approve, in the order of the list. One reason covers what is required and missing of the ticked ones, and
 * the seats that they exceed.
 */
export function approvalOf(rows: readonly OfficeEnrollment[], ticked: ReadonlySet<number>, full: ReadonlySet<number>, reason: string): Approval {
  const ids = rows.filter(({ id, missing }) => missing.length === 0 || ticked.has(id)).map(({ id }) => id);
  const needs = (row: OfficeEnrollment) => [...row.required, ...(full.has(row.id) ? ['capacity' as const] : [])].filter((one) => !final.has(one));
  const overridden = rows.filter((row) => ticked.has(row.id) && needs(row).length > 0);
  if (overridden.length === 0) return { ids };
  const override = Object.fromEntries(overridden.flatMap(needs).map((one) => [one, reason]));
  return { ids, override, overrideIds: overridden.map(({ id }) => id) };
}

/** What approving them together would do; nothing is changed. */
export const approvalPreviewQuery = (approval: Approval) =>
  queryOptions({
    queryKey: [...officeKey, 'approval-preview', approval],
    queryFn: () => postJson('/api/admin/enrollments/approve/preview', approval),
    enabled: approval.ids.length > 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });

/** Approves them, in batches in the order of the list. */
export const approveMany = ({ ids, ...rest }: Approval): Promise<BulkOutcome> =>
  decideInBatches((batch) => postJson('/api/admin/enrollments/approve', { ids: batch, ...rest }), ids, { decided: {}, failures: [], undos: [] });

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

/** "3 of 5 are approved.", "All 5 are approved." */
export function togetherText(approved: number, count: number): string {
  if (count === 1) return approved === 1 ? 'It is ready.' : 'It is not ready.';
  return approved === count ? `All ${count} are approved.` : `${approved} of ${count} ${approved === 1 ? 'is' : 'are'} approved, in the order of the list.`;
}

/** "Charges $1,500.00, and sends 5 emails with the copies to guardians." */
export function promiseText({ total, emails, seats }: Pick<components['schemas']['ApprovalPreview'], 'total' | 'emails' | 'seats'>): string {
  const sent = emails === 1 ? 'One email is sent.' : `${emails} emails are sent, with the copies to guardians.`;
  const given = seats > 0 ? ` ${seats === 1 ? 'One seat is' : `${seats} seats are`} taken.` : '';
  return `Charges ${moneyText(total, '$0.00')}. ${sent}${given}`;
}
