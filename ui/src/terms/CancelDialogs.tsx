// The dialogs that cancel a section or one of its classes, and that delete an empty section.
import { useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { ReasonDialog } from '../components/ReasonDialog.tsx';
import { showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { addDays, dateText, dayNumber, today } from '../dates.ts';
import { hoursText } from '../meetings.ts';
import { cancelClass, cancelSection, deleteSection, refreshSections } from './queries.ts';
import { type SectionDialogProps, toldOf } from './told.ts';
import { nameOf, studentsText, tellFailure } from './words.ts';

const wanted = 'Please say in at least 10 characters why; the students read it';

const failed = 'It could not be saved. Please try again.';

export function CancelSectionDialog({ section, onChanged, onClose }: SectionDialogProps) {
  const client = useQueryClient();
  const told = section.taken + section.waiting;
  return (
    <ReasonDialog
      title={`Cancel ${nameOf(section)}?`}
      intro={
        <p>
          {told === 0 ? 'It has no students.' : `${studentsText(told)} ${told === 1 ? 'gets' : 'get'} an email about it. They owe nothing for it, what they paid is on account, and they wait to be moved to another section.`}
        </p>
      }
      idPrefix="cancel-section"
      hint="The students read it in the email."
      rows={3}
      maxLength={1000}
      min={10}
      wanted={wanted}
      submitLabel="Cancel Section"
      pendingLabel="Cancelling..."
      hasCancel={false}
      failed={failed}
      failureTitle="Nothing was cancelled"
      onFailure={() => refreshSections(client)}
      send={async (reason) => {
        const saved = await cancelSection(section, reason);
        showToast('Section cancelled');
        onChanged(saved, toldOf(section, saved, 'cancelled'));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

export function CancelClassDialog({ section, term, onChanged, onClose }: SectionDialogProps) {
  const days = new Set(section.meetings.map(({ weekday }) => weekday));
  const isClass = (date: string) => days.has((((dayNumber(date) ?? 0) + 3) % 7) + 1) && !term.daysOff.includes(date) && date >= section.startsOn && date <= section.endsOn;
  return (
    <FormDialog
      title={`Cancel one class of ${nameOf(section)}`}
      intro={<p>{`${hoursText(section.meetings)}. ${section.taken === 0 ? 'It has no students.' : `${studentsText(section.taken)} ${section.taken === 1 ? 'gets' : 'get'} an email about it.`}`}</p>}
      schema={z.object({
        date: z.string().check(z.minLength(1, 'Date is required'), z.refine((date) => date === '' || isClass(date), 'There is no class on this day')),
        reason: z.string().check(z.trim(), z.minLength(10, wanted), z.maxLength(1000, 'Must be at most 1000 characters')),
      })}
      values={{ date: nextDay(section.startsOn, isClass), reason: '' }}
      fields={['date', 'reason']}
      idPrefix="cancel-class"
      submitLabel="Cancel This Class"
      pendingLabel="Cancelling..."
      hasCancel={false}
      failed={failed}
      failureTitle="Nothing was cancelled"
      send={async (values) => {
        const saved = await cancelClass(section.id, values);
        showToast('Class cancelled');
        onChanged(saved, toldOf(section, saved, `no class on ${dateText(values.date, '')}`));
        onClose();
      }}
      onClose={onClose}
    >
      {({ register, field }) => (
        <>
          <Field {...field('date')} label="Date">
            {(control) => <input {...control} {...register('date')} type="date" min={section.startsOn} max={section.endsOn} />}
          </Field>
          <Field {...field('reason')} label="Reason" hint="The students read it in the email.">
            {(control) => <textarea {...control} {...register('reason')} rows={3} maxLength={1000} />}
          </Field>
        </>
      )}
    </FormDialog>
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
