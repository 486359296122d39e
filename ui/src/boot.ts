// The query client and the data that the server wrote into the page: the first screen is
// drawn from it, without a request.
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { reportEnd } from './accounts/sessionEnd.ts';
import { isSignedOut } from './api.ts';
import type { Boot } from './api-types.ts';
import { codeIn, courseKey } from './courses/courseKey.ts';

/** Reports an ended session once, from any query. */
const noticeEnd = (error: Error) => isSignedOut(error) && reportEnd(true);

/** Section 9: never stale, no refetch on focus, no retries. Offline fails instead of waiting. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error, { meta }) => !meta?.isPublic && noticeEnd(error) }),
    mutationCache: new MutationCache({ onError: (error, _input, _kept, { meta }) => !meta?.isLogin && noticeEnd(error) }),
    defaultOptions: {
      queries: { staleTime: Infinity, refetchOnWindowFocus: false, retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** The page's boot data, or null without it (as in development). */
export function readBoot(page: Document): Boot | null {
  const text = page.getElementById('boot')?.textContent;
  return text ? (JSON.parse(text) as Boot) : null;
}

/** Each key holds the result of the query of that name. */
export function seedQueries(client: QueryClient, { course, text, ...boot }: Boot, pathname = '') {
  if (text) client.setQueryData(['text', text.kind], text);
  for (const [name, data] of Object.entries(boot)) client.setQueryData([name], data);
  const code = codeIn(pathname);
  if (code) client.setQueryData(courseKey(code), course ?? { code });
}
