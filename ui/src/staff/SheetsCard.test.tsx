// The choice of the spreadsheet program on the own account page, and the links that follow it.
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import type { User } from '../api-types.ts';
import { sheetAddress } from '../components/sheetStyle.ts';
import { SheetsCard } from './SheetsCard.tsx';

const bursar: User = {
  id: 1, username: 'bursar', fullName: null, email: 'bursar@northgate.example', role: 'bursar', duties: ['money'],
  hasSecondFactor: false, needsSecondFactor: false, digest: false,
};

function open(user: User) {
  const router = createMemoryRouter([{ element: <Outlet context={user} />, children: [{ path: '/', element: <SheetsCard /> }] }]);
  return render(<RouterProvider router={router} />);
}

afterEach(() => localStorage.clear());

it('is remembered, and every sheet follows it', async () => {
  const sheet = '/api/admin/payments?format=csv&q=';
  const { unmount } = open(bursar);
  expect(screen.getByRole('radio', { name: 'English Excel (comma, 769.00)' })).toBeChecked();
  expect(sheetAddress(sheet)).toBe(sheet);
  await userEvent.click(screen.getByRole('radio', { name: 'French Excel (semicolon, 769,00)' }));
  expect(['/api/admin/mail?status=dead&format=csv', sheet].map(sheetAddress)).toEqual(['/api/admin/mail?status=dead&format=csv&sheet=fr', `${sheet}&sheet=fr`]);
  expect(sheetAddress('/api/admin/privacy/1/archive?q=format%3Dcsv')).toBe('/api/admin/privacy/1/archive?q=format%3Dcsv');
  unmount();
  open(bursar);
  expect(screen.getByRole('radio', { name: 'French Excel (semicolon, 769,00)' })).toBeChecked();
  await userEvent.click(screen.getByRole('radio', { name: 'English Excel (comma, 769.00)' }));
  expect(sheetAddress(sheet)).toBe(sheet);
});

it('stays as it was where the browser keeps nothing', async () => {
  const refused = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  open(bursar);
  await userEvent.click(screen.getByRole('radio', { name: 'French Excel (semicolon, 769,00)' }));
  expect(screen.getByRole('radio', { name: 'English Excel (comma, 769.00)' })).toBeChecked();
  refused.mockRestore();
});

it('is not asked of a role that downloads no lists', () => {
  open({ ...bursar, role: 'viewer', duties: [] });
  expect(screen.queryByText('Spreadsheets')).toBeNull();
});
