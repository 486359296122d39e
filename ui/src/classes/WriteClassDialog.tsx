// Write an Email to a Class: to all current students, or to those with one start date.
import { useQueryClient } from '@tanstack/react-query';
import type { CourseWithWaitlist } from '../api-types.ts';
import { showToast } from '../components/toasts.ts';
import { dateText } from '../dates.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { WriteManyDialog } from '../mail/WriteManyDialog.tsx';
import { previewClassEmail, writeToClass } from './queries.ts';

/** `startDate` is empty for all students. */
type WriteClassDialogProps = { course: CourseWithWaitlist; startDate: string; onClose: () => void };

export function WriteClassDialog({ course: { id, code }, startDate, onClose }: WriteClassDialogProps) {
  const client = useQueryClient();
  const to = { startDate: startDate || null };
  return (
    <WriteManyDialog
      title={`Write to the Class of ${code}`}
      to={startDate ? `To all students in ${code} who began on ${dateText(startDate, '')} and are still enrolled.` : `To all students now taking ${code}.`}
      preview={(words) => previewClassEmail(id, { ...words, ...to })}
      send={async (words, recipients) => {
        const { queued } = await writeToClass(id, { ...words, ...to, expected: recipients });
        void client.invalidateQueries({ queryKey: recordsKey });
        showToast(queued === 1 ? '1 email queued' : `${queued} emails queued`, `To the class of ${code}.`);
        onClose();
      }}
      onClose={onClose}
    />
  );
}
