// Dialogs of bulk decisions.
import { lazy, Suspense, useState } from 'react';
import { failureWords, isSignedOut, postJson } from '../../api.ts';
import type { DeclineCode, OfficeEnrollment } from '../../api-types.ts';
import { ConfirmDialog } from '../../components/ConfirmDialog.tsx';
import { Dialog } from '../../components/Dialog.tsx';
import { Form } from '../../components/Form.tsx';
import { loadPart } from '../../components/loadPart.ts';
import { Notice } from '../../components/Notice.tsx';
import { showFailure } from '../../components/toasts.ts';
import { useAction } from '../../components/useAction.ts';
import { useServerForm } from '../../components/useServerForm.ts';
import { useUnsavedChanges } from '../../components/useUnsavedChanges.tsx';
import { DeclineFields } from '../DeclineFields.tsx';
import { declineReasons, declineSchema } from '../decline.ts';
import { ApprovalSheet } from './ApprovalSheet.tsx';
import type { BulkVerb } from './BulkBar.tsx';
import { decideInBatches, type BulkOutcome } from './bulk.ts';

/** Few classes are cancelled. */
const MoveDialog = lazy(async () => ({ default: (await loadPart(() => import('./MoveDialog.tsx'))).MoveDialog }));

type BulkDialogsProps = {
  verb: BulkVerb;
  rows: readonly OfficeEnrollment[];
  onDone: (outcome: BulkOutcome, words: string) => void;
  onClose: () => void;
};

export function BulkDialogs({ verb, rows, onDone, onClose }: BulkDialogsProps) {
  switch (verb) {
    case 'approve':
      return <ApprovalSheet rows={rows} onDone={(outcome) => onDone(outcome, 'approved')} onClose={onClose} />;
    case 'decline':
      return <DeclineMany rows={rows} onDone={(outcome) => onDone(outcome, 'declined')} onClose={onClose} />;
    case 'move':
      return <Suspense fallback={null}><MoveDialog rows={rows} onDone={(outcome) => onDone(outcome, 'moved')} onClose={onClose} /></Suspense>;
    case 'waitlist':
      return <WaitlistMany rows={rows} onDone={(outcome) => onDone(outcome, 'on the waiting list')} onClose={onClose} />;
  }
}

type ManyProps = { rows: readonly OfficeEnrollment[]; onDone: (outcome: BulkOutcome) => void; onClose: () => void };

const nothing = (): BulkOutcome => ({ decided: {}, failures: [], undos: [] });

const requests = (count: number) => (count === 1 ? '1 request' : `${count} requests`);

function DeclineMany({ rows, onDone, onClose }: ManyProps) {
  const form = useServerForm({
    schema: declineSchema,
    values: { code: 'class_full' as DeclineCode, reason: declineReasons.class_full.text },
    fields: ['code', 'reason'],
    idPrefix: 'decline-many',
    send: async (values) => onDone(await decideInBatches((ids) => postJson('/api/admin/enrollments/decline', { ...values, ids }), rows.map(({ id }) => id), nothing())),
    onFailure: (error) => showFailure('Failed to decline the requests', words(error)),
  });
  const { leave, question } = useUnsavedChanges(form.isDirty);
  const close = () => !form.isPending && leave(onClose);
  return (
    <Dialog title={`Decline ${requests(rows.length)}?`} onClose={close}>
      <p>Each student gets the same reason. Nothing is charged, and they may ask again.</p>
      <Form
        isPending={form.isPending}
        summary={form.summary}
        error={form.failure && words(form.failure)}
        isToasted
        submitLabel={`Decline ${rows.length}`}
        pendingLabel="Declining..."
        onSubmit={form.submit}
        onCancel={close}
      >
        {rows[0] && <DeclineFields form={form} id={rows[0].id} />}
      </Form>
      {question}
    </Dialog>
  );
}

function WaitlistMany({ rows, onDone, onClose }: ManyProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const waiting = useAction({
    mutationFn: () => decideInBatches((ids) => postJson('/api/admin/enrollments/waitlist', { ids }), rows.map(({ id }) => id), nothing()),
    onSuccess: onDone,
    onError: (error) => !isSignedOut(error) && setFailure(words(error)),
  });
  return (
    <ConfirmDialog
      title={`Put ${requests(rows.length)} on the waiting list?`}
      confirmLabel="Put on Waiting List"
      pendingLabel="Saving..."
      isPending={waiting.isPending}
      onConfirm={() => waiting.run()}
      onClose={() => !waiting.isPending && onClose()}
    >
      <p>They join in the order listed here. When a seat becomes free, it is offered by email to the next student in line.</p>
      {failure && <Notice kind="error"><p>{failure}</p></Notice>}
    </ConfirmDialog>
  );
}

function words(error: Error): string {
  return failureWords(error, 'The requests could not be decided. Please try again.');
}
