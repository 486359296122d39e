// A week in a browser whose time-zone rules are as new as the school's, and in an older one.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, expect, it, vi } from 'vitest';
import { newQueryClient, seedQueries } from '../boot.ts';
import { keptSummer, school, toronto } from '../test/data.ts';
import { server } from '../test/server.ts';
import { WeekCard } from './WeekCard.tsx';

afterEach(() => vi.unstubAllEnvs());

/** The words of a card with one class on an evening of November. */
async function words(reader: string, timeZone: typeof toronto, startsAtUtc: string) {
  vi.stubEnv('TZ', reader);
  const one = { date: '2026-11-24', startsAt: '19:00', endsAt: '20:30', timeZone: timeZone.name, startsAtUtc, course: { code: 'MHF4U', name: 'Advanced Functions' }, section: { label: 'A', teacherName: null }, link: null, isCancelled: false };
  server.use(http.get('http://localhost:3000/api/students/week', () => HttpResponse.json([one])));
  const client = newQueryClient();
  seedQueries(client, { school: { ...school, timeZone } });
  render(<QueryClientProvider client={client}><WeekCard /></QueryClientProvider>);
  const [first] = await screen.findAllByRole('listitem');
  return [first?.textContent, screen.getByText(/^Times are in/).closest('p')?.textContent];
}

const warning = 'Your browser’s time-zone rules are older than the school’s: update it. ';

it.each([
  ['Africa/Lagos', toronto, '2026-11-25T00:00:00Z', 'Wednesday, November 2501:00–02:30 Advanced Functions (MHF4U A) 19:00–20:30 in Toronto', 'Times are in Lagos time; the school’s are in Toronto time.'],
  ['America/Toronto', toronto, '2026-11-25T00:00:00Z', 'Tuesday, November 2419:00–20:30 Advanced Functions (MHF4U A) ', 'Times are in Toronto time.'],
  ['Africa/Lagos', keptSummer, '2026-11-24T23:00:00Z', 'Tuesday, November 2419:00–20:30 Advanced Functions (MHF4U A) 00:00–01:30 in Lagos', `${warning}Times are in Toronto time; those in Lagos time may be wrong.`],
  ['America/Toronto', keptSummer, '2026-11-24T23:00:00Z', 'Tuesday, November 2419:00–20:30 Advanced Functions (MHF4U A) ', `${warning}Times are in Toronto time.`],
])('in %s the hours come by the right clock first', async (reader, zone, startsAtUtc, row, note) => {
  const [first, fine] = await words(reader, zone, startsAtUtc);
  expect(first).toContain(row);
  expect(fine).toBe(note);
});
