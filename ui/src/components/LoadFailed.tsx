// Something could not be loaded: the specification's words and a way to try again.
import { Notice } from './Notice.tsx';

type LoadFailedProps = { words: string; query: { isFetching: boolean; refetch: () => unknown } };

export function LoadFailed({ words, query }: LoadFailedProps) {
  return (
    <Notice kind="error">
      <p>{words}</p>
      <button
        type="button"
        className="button button-outline"
        aria-disabled={query.isFetching}
        onClick={() => !query.isFetching && void query.refetch()}
      >
        {query.isFetching ? 'Retrying...' : 'Retry'}
      </button>
    </Notice>
  );
}
