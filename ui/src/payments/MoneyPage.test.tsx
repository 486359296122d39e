// The school's money by role and by day: what a role may open, and whose figures are shown.
import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import type { MoneySummary, User } from '../api-types.ts';
import { school } from '../test/data.ts';
import { open } from '../test/render.tsx';
import { server } from '../test/server.ts';

const user: User = {
  id: 1, username: 'viewer', email: 'viewer@northgate.example', fullName: null, role: 'viewer', hasSecondFactor: true, needsSecondFactor: false,
  digest: false, duties: [],
};
const summary: MoneySummary = {
  due: 1200, overdue: 700, credits: 0, unapplied: 481, unpricedCount: 2, receivedThisMonth: 300, admissionFeesDue: 6400,
  aging: { notYetDue: 500, days1to30: 700, days31to60: 0, days61plus: 0 },
};
const calls: string[] = [];

/** Signs in a role with its duties, and lists rows at an address. */
function signIn(duties: User['duties'], rows: Record<string, object[]> = {}) {
  server.use(
    http.get('*/api/user', () => HttpResponse.json({ ...user, duties })),
    http.get('*/api/admin/waiting', () => HttpResponse.json([])),
    http.get('*/api/admin/money/summary', () => HttpResponse.json(summary)),
    ...Object.entries(rows).map(([path, found]) => http.get(`*${path}`, () => HttpResponse.json(found, { headers: { 'X-Total-Count': String(found.length) } }))),
  );
}

beforeEach(() => {
  calls.length = 0;
  server.events.on('request:start', ({ request }) => void calls.push(new URL(request.url).pathname));
  return () => server.events.removeAllListeners();
});

const figures = async () => within(await screen.findByRole('navigation', { name: 'Figures' }));

it('shows the totals to a role that reads no balances, without links to what is refused', async () => {
  signIn(['admissions']);
  open('/admin/money', { school });
  expect(await (await figures()).findByText('$1,200.00')).toBeVisible();
  expect((await figures()).getAllByRole('link').map((link) => link.textContent)).toEqual(['Unpriced 2']);
  expect(screen.getByRole('region', { name: 'Due by age' })).toHaveTextContent(/Not due yet\s*\$500\.00.*Admission fees due\s*\$6,400\.00/);
  expect(screen.queryByRole('navigation', { name: 'Money' })).toBeNull();
  expect(calls.filter((call) => /money|payments/.test(call))).toEqual(['/api/admin/money/summary']);
});

it.each([['reminders', 'Reminders'], ['policies', 'Refund Policies'], ['settings', 'Settings']])('says that a role has no access to %s, and asks for nothing there', async (show, label) => {
  signIn(['balances']);
  open(`/admin/money?show=${show}`, { school });
  expect(await screen.findByText(`You don’t have access to ${label}`)).toBeVisible();
  expect(within(screen.getByRole('navigation', { name: 'Money' })).getByRole('link', { name: 'Balances' })).toBeVisible();
  expect(calls.filter((call) => /money|reminders|policies/.test(call))).toEqual(['/api/admin/money/summary']);
});
