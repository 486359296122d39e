// A pending request to leave a course, which the student can take back.
import type { Enrollment } from '../api-types.ts';
import { Notice } from '../components/Notice.tsx';
import { dayText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { stayInCourse } from './queries.ts';
import { useOwnAction } from './useOwnAction.ts';

export function PendingLeave({ enrollment, titleId }: { enrollment: Enrollment; titleId: string }) {
  const { timeZone } = useSchool();
  const staying = useOwnAction(stayInCourse, {
    done: ['You stay in the course', 'The office knows that you no longer want to leave.'],
    failed: ['Nothing was changed', 'Please try again.'],
  });
  return (
    <Notice kind="plain">
      <p><span>{`You asked to leave on ${dayText(enrollment.leaveAskedAt, timeZone, '')}; the office will answer. `}</span><q className="written">{enrollment.leaveReason}</q></p>
      <button type="button" className="button button-outline" aria-describedby={titleId} aria-disabled={staying.isPending} onClick={() => staying.run(enrollment.id)}>
        {staying.isPending ? 'Telling the office...' : 'Stay in the Course'}
      </button>
    </Notice>
  );
}
