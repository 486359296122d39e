// A failure message; a conflict with another student links to that student.
import { Link } from 'react-router';
import { ApiError, failureWords } from '../api.ts';
import { officePaths } from '../officePaths.ts';

export function Failure({ error, otherwise }: { error: Error; otherwise: string }) {
  const other = otherStudent(error);
  return (
    <p>
      <span>{`${failureWords(error, otherwise)} `}</span>{other !== null && <Link to={officePaths.student(other)}>Open that student’s page</Link>}
    </p>
  );
}

/** The student who has the typed address. */
function otherStudent(error: Error): number | null {
  const current = error instanceof ApiError ? error.current : null;
  const isStudent = typeof current === 'object' && current !== null && 'id' in current && !('version' in current);
  return isStudent && typeof current.id === 'number' ? current.id : null;
}
