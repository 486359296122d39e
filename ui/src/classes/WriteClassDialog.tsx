// Write an Email to a Class: to all current students, or to those of one section or start date.
import { useQueryClient } from '@tanstack/react-query';
import type { CourseWithWaitlist, OfficeSection } from '../api-types.ts';
import { showToast } from '../components/toasts.ts';
import { dateText } from '../dates.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { WriteManyDialog } from '../mail/WriteManyDialog.tsx';
import { previewClassEmail, writeToClass } from './queries.ts';

/** `startDate` is empty for all students. */
type WriteClassDialogProps = { course: CourseWithWaitlist; startDate: string; section: Pick<OfficeSection, 'id' | 'label'> | undefined; onClose: () => void };

export function WriteClassDialog({ course: { id, code }, startDate, section, onClose }: WriteClassDialogProps) {
  const client = useQueryClient();
  const to = { startDate: startDate || null, sectionId: section?.id ?? null };
  return (
    <WriteManyDialog
      title={`Write to the Class of ${section ? `${code} ${section.label}` : code}`}
      to={startDate ? `To all students in ${code} who began on ${dateText(startDate, '')} and are still enrolled.` : `To all students now taking ${section ? `section ${section.label} of ${code}` : code}.`}
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
