// A load failure: the specification's message and a Retry button.
import type { RefObject } from 'react';
import { Notice } from './Notice.tsx';

type LoadFailedProps = {
  words: string;
  query: { isFetching: boolean; refetch: () => Promise<{ isSuccess: boolean }> };
  /** Takes the focus after a successful retry, when the button is gone. */
  heading: RefObject<HTMLElement | null>;
};

export function LoadFailed({ words, query: { isFetching, refetch }, heading }: LoadFailedProps) {
  async function retry() {
    if ((await refetch()).isSuccess) heading.current?.focus();
  }

  return (
    <Notice kind="error">
      <p>{words}</p>
      <button
        type="button"
        className="button button-outline"
        aria-disabled={isFetching}
        onClick={() => !isFetching && void retry()}
      >
        {isFetching ? 'Retrying...' : 'Retry'}
      </button>
    </Notice>
  );
}
