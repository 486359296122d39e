import { QueryClient } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { prefetch } from './MailPage.tsx';

it('asks ahead for what the page shows, and for every email where the address names no state', () => {
  const client = new QueryClient();
  const asked: unknown[] = [];
  client.prefetchQuery = async ({ queryKey }) => void asked.push(queryKey);
  for (const search of ['status=bogus', 'status=dead&page=2']) prefetch(client, new URLSearchParams(search), {});
  expect(asked).toEqual([
    ['mail', { q: '', status: '', page: 1 }],
    ['mail', { q: '', status: 'dead', page: 2 }],
  ]);
});
