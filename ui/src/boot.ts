// The query client and the data that the server wrote into the page: the first screen is
// drawn from it, without a request.
import { QueryClient } from '@tanstack/react-query';
import type { Boot } from './api-types.ts';
import { coursesQuery } from './courses/queries.ts';
import { schoolQuery } from './school/queries.ts';

/** Section 9: never stale, no refetch on focus, no retries. Offline fails instead of waiting. */
export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: Infinity, refetchOnWindowFocus: false, retry: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** The page's boot data, or null when the page came without (as in development). */
export function readBoot(page: Document): Boot | null {
  const text = page.getElementById('boot')?.textContent;
  return text ? (JSON.parse(text) as Boot) : null;
}

export function seedQueries(client: QueryClient, boot: Boot) {
  client.setQueryData(schoolQuery.queryKey, boot.school);
  if (boot.courses) client.setQueryData(coursesQuery.queryKey, boot.courses);
}
