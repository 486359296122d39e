// The load failure of the catalogue or a course: section 8's words and a Retry button.
import { Notice } from '../components/Notice.tsx';

type CoursesFailedProps = { what?: string; isRetrying: boolean; onRetry: () => void };

export function CoursesFailed({ what = 'courses', isRetrying, onRetry }: CoursesFailedProps) {
  return (
    <Notice kind="error">
      <p>{`Failed to load ${what}. Please try again later.`}</p>
      <button
        type="button"
        className="button button-outline"
        aria-disabled={isRetrying}
        onClick={isRetrying ? undefined : onRetry}
      >
        {isRetrying ? 'Retrying...' : 'Retry'}
      </button>
    </Notice>
  );
}
