// Acts on admission requests that need no dialog, on one row or on many: reminding families, renewing invitations.
import { decideMany, inviteAgain } from './decisions.ts';
import { nameOf } from './requests.ts';
import type { BulkDone } from './RequestsResult.tsx';
import type { RequestRow } from './wire.ts';

type Result = { id: number; row?: RequestRow | undefined; message?: string | null | undefined };

/** What became of each row. */
export function resultOf(rows: readonly RequestRow[], results: readonly Result[], words: string): Pick<BulkDone, 'words' | 'decided' | 'failures'> {
  const decided: BulkDone['decided'] = {};
  const failures: BulkDone['failures'] = [];
  for (const { id, row, message } of results) {
    if (row) {
      decided[id] = { status: row.status, words: null, now: row };
    } else {
      const found = rows.find((one) => one.id === id);
      failures.push({ id, name: found ? nameOf(found) : `Request #${id}`, message: message ?? 'It could not be decided.' });
    }
  }
  return { words, decided, failures };
}

async function remind(rows: readonly RequestRow[]): Promise<BulkDone> {
  const { results, undo } = await decideMany('remind', rows.map(({ id }) => id), {});
  const decidedAt = results.find(({ row }) => row)?.row?.question?.remindedAt ?? null;
  return { ...resultOf(rows, results, rows.length === 1 ? 'reminder sent' : 'reminders sent'), undo: undo ?? null, decidedAt };
}

async function invite(rows: readonly RequestRow[]): Promise<BulkDone> {
  const seen = rows.map(({ account }) => account?.invitedAt ?? '').toSorted().at(-1);
  const { results } = await inviteAgain(rows.map(({ id }) => id), seen || null);
  return { ...resultOf(rows, results, rows.length === 1 ? 'invitation sent' : 'invitations sent'), undo: null, decidedAt: null };
}

export const atOnce = { remind, invite };
