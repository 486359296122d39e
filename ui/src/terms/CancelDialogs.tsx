// The dialogs that cancel a section or one of its classes, and that delete an empty section.
import { useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { addDays, dateText, dayNumber, today } from '../dates.ts';
import { hoursText } from '../meetings.ts';
import { cancelClass, cancelSection, deleteSection, refreshSections } from './queries.ts';
import { type SectionDialogProps, toldOf } from './told.ts';
import { nameOf, studentsText, tellFailure } from './words.ts';

const reason = z.string().check(z.trim(), z.minLength(10, 'Please say in at least 10 characters why; the students read it'), z.maxLength(1000, 'Must be at most 1000 characters'));

export function CancelSectionDialog({ section, onChanged, onClose }: SectionDialogProps) {
  const client = useQueryClient();
  const { register, field, failure, isPending, summary, submit } = useServerForm({
    schema: z.object({ reason }),
    values: { reason: '' },
    fields: ['reason'],
    idPrefix: 'cancel-section',
    send: async (values) => {
      const saved = await cancelSection(section, values.reason);
      showToast('Section cancelled');
      onChanged(saved, toldOf(section, saved, 'cancelled'));
      onClose();
    },
    onFailure: (error) => {
      showFailure('Nothing was cancelled', words(error));
      refreshSections(client);
    },
  });
  const told = section.taken + section.waiting;
  return (
    <Dialog title={`Cancel ${nameOf(section)}?`} onClose={() => !isPending && onClose()}>
      <p>
        {told === 0 ? 'It has no students.' : `${studentsText(told)} ${told === 1 ? 'gets' : 'get'} an email about it. They owe nothing for it, what they paid is on account, and they wait to be moved to another section.`}
      </p>
      <Form isPending={isPending} summary={summary} error={failure && words(failure)} isToasted submitLabel="Cancel Section" pendingLabel="Cancelling..." onSubmit={submit}>
        <Field {...field('reason')} label="Reason" hint="The students read it in the email.">
          {(control) => <textarea {...control} {...register('reason')} rows={3} maxLength={1000} />}
        </Field>
      </Form>
    </Dialog>
  );
}

export function CancelClassDialog({ section, term, onChanged, onClose }: SectionDialogProps) {
  const days = new Set(section.meetings.map(({ weekday }) => weekday));
  const isClass = (date: string) => days.has((((dayNumber(date) ?? 0) + 3) % 7) + 1) && !term.daysOff.includes(date) && date >= section.startsOn && date <= section.endsOn;
  const { register, field, failure, isPending, summary, submit } = useServerForm({
    schema: z.object({ date: z.string().check(z.minLength(1, 'Date is required'), z.refine((date) => date === '' || isClass(date), 'There is no class on this day')), reason }),
    values: { date: nextDay(section.startsOn, isClass), reason: '' },
    fields: ['date', 'reason'],
    idPrefix: 'cancel-class',
    send: async (values) => {
      const saved = await cancelClass(section.id, values);
      showToast('Class cancelled');
      onChanged(saved, toldOf(section, saved, `no class on ${dateText(values.date, '')}`));
      onClose();
    },
    onFailure: (error) => showFailure('Nothing was cancelled', words(error)),
  });
  return (
    <Dialog title={`Cancel one class of ${nameOf(section)}`} onClose={() => !isPending && onClose()}>
      <p>{`${hoursText(section.meetings)}. ${section.taken === 0 ? 'It has no students.' : `${studentsText(section.taken)} ${section.taken === 1 ? 'gets' : 'get'} an email about it.`}`}</p>
      <Form isPending={isPending} summary={summary} error={failure && words(failure)} isToasted submitLabel="Cancel This Class" pendingLabel="Cancelling..." onSubmit={submit}>
        <Field {...field('date')} label="Date">
          {(control) => <input {...control} {...register('date')} type="date" min={section.startsOn} max={section.endsOn} />}
        </Field>
        <Field {...field('reason')} label="Reason" hint="The students read it in the email.">
          {(control) => <textarea {...control} {...register('reason')} rows={3} maxLength={1000} />}
        </Field>
      </Form>
    </Dialog>
  );
}

/** The next day with a class; empty if there is none within two weeks. */
function nextDay(startsOn: string, isClass: (date: string) => boolean): string {
  const first = [today(), startsOn].toSorted().at(-1) ?? startsOn;
  return Array.from({ length: 14 }, (_, at) => addDays(first, at)).find(isClass) ?? '';
}

export function DeleteSectionDialog({ section, onClose }: SectionDialogProps) {
  const client = useQueryClient();
  const deleting = useAction({
    mutationFn: () => deleteSection(section.id),
    onSuccess: () => {
      showToast('Section deleted');
      refreshSections(client);
      onClose();
    },
    onError: tellFailure,
  });
  return (
    <ConfirmDialog
      title={`Delete ${nameOf(section)}?`}
      confirmLabel="Delete Section"
      pendingLabel="Deleting..."
      isDangerous
      isPending={deleting.isPending}
      onConfirm={() => deleting.run()}
      onClose={onClose}
    >
      <p>It has no students. A section that had any can only be cancelled.</p>
    </ConfirmDialog>
  );
}

const words = (error: Error) => failureWords(error, 'It could not be saved. Please try again.');
