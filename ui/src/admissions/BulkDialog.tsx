// Dialogs of bulk decisions about admission requests.
import { resultOf } from './atOnce.ts';
import { BulkOfferDialog } from './BulkOfferDialog.tsx';
import { decideMany, type BulkVerb } from './decisions.ts';
import { AskDialog, DeclineDialog, WaitlistDialog } from './dialogs.tsx';
import { nameOf } from './requests.ts';
import type { BulkDone } from './RequestsResult.tsx';
import type { RequestRow } from './wire.ts';

type BulkDialogProps = { verb: BulkVerb; rows: readonly RequestRow[]; onDone: (done: BulkDone) => void; onClose: () => void };

const dialogs = { offer: BulkOfferDialog, ask: AskDialog, waitlist: WaitlistDialog, decline: DeclineDialog };
const doneWords = { offer: 'offered a place', ask: 'asked for information', waitlist: 'on the waiting list', decline: 'declined' };

export function BulkDialog({ verb, rows, onDone, onClose }: BulkDialogProps) {
  const Dialog = dialogs[verb];
  const about = rows.length === 1 && rows[0] ? nameOf(rows[0]) : `${rows.length} requests`;

  async function send(body: object) {
    const { results, undo } = await decideMany(verb, rows.map(({ id }) => id), body);
    const decidedAt = results.find(({ row }) => row)?.row?.stateSince ?? null;
    onDone({ ...resultOf(rows, results, doneWords[verb]), undo: undo ?? null, decidedAt });
  }

  return <Dialog rows={rows} about={about} send={send} onClose={onClose} />;
}
