// `LoadFailed` for a part of a page with a heading: the Retry button is gone once it helped, and
// the focus moves on to the heading.
import type { RefObject } from 'react';
import { LoadFailed } from './LoadFailed.tsx';

type ListFailedProps = {
  words: string;
  query: { isFetching: boolean; refetch: () => Promise<{ isSuccess: boolean }> };
  heading: RefObject<HTMLElement | null>;
};

export function ListFailed({ words, query: { isFetching, refetch }, heading }: ListFailedProps) {
  const retry = async () => {
    if ((await refetch()).isSuccess) heading.current?.focus();
  };
  return <LoadFailed words={words} query={{ isFetching, refetch: retry }} />;
}
