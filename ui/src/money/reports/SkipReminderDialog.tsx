// Asks why the next reminder of a student is skipped.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReminderRow } from '../../api-types.ts';
import { ReasonDialog } from '../../components/ReasonDialog.tsx';
import { showToast } from '../../components/toasts.ts';
import { dateText } from '../../dates.ts';
import { moneyKeys, skipReminder } from '../moneyQueries.ts';

type SkipReminderDialogProps = { student: { id: number; name: string }; next: NonNullable<ReminderRow['next']>; onClose: () => void };

export function SkipReminderDialog({ student, next: { on }, onClose }: SkipReminderDialogProps) {
  const client = useQueryClient();
  const skipping = useMutation(skipReminder);
  return (
    <ReasonDialog
      title="Skip Next Reminder?"
      intro={<p>The family of <strong dir="auto">{student.name}</strong><span>{` gets no reminder on ${dateText(on, '')}. `}</span>Later ones are sent as usual, and you can undo this until that day.</p>}
      idPrefix="skip"
      hint="Only the office reads it."
      wanted="Say why, in at least 3 characters"
      submitLabel="Skip Reminder"
      pendingLabel="Skipping..."
      failed="The reminder could not be skipped. Please try again."
      send={async (reason, key) => {
        const { next } = await skipping.mutateAsync({ key, id: student.id, on, reason });
        showToast('Reminder skipped', next ? `The next one will be sent on ${dateText(next.on, '')}.` : 'No other reminder is scheduled.');
        onClose();
        for (const queryKey of moneyKeys) void client.invalidateQueries({ queryKey });
      }}
      onClose={onClose}
    />
  );
}
