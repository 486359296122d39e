// The catalogue could not be loaded: the specification's words (section 8) and a way to retry.
import { Notice } from '../components/Notice.tsx';

export function CoursesFailed({ isRetrying, onRetry }: { isRetrying: boolean; onRetry: () => void }) {
  return (
    <Notice kind="error">
      <p>Failed to load courses. Please try again later.</p>
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
