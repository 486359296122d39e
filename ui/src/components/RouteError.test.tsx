import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, test, vi } from 'vitest';
import { RouteError } from './RouteError.tsx';

function Breaks() {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) throw new Error('the page broke');
  return (
    <form>
      <label>Reason <textarea id="reason" /></label>
      <label>Email <input id="email" type="email" /></label>
      <label>Password <input id="password" type="password" /></label>
      <button type="button" onClick={() => setBroken(true)}>Break</button>
    </form>
  );
}

test('a page that breaks keeps what was typed in it, and shows no password', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const user = userEvent.setup();
  render(<RouterProvider router={createMemoryRouter([{ path: '/', Component: Breaks, ErrorBoundary: RouteError }])} />);
  await user.type(screen.getByLabelText('Reason'), 'We are moving to Halifax.');
  await user.type(screen.getByLabelText('Password'), 'a long secret');
  await user.click(screen.getByRole('button', { name: 'Break' }));
  expect(screen.getByRole('heading', { name: 'This page could not be loaded' })).toHaveFocus();
  expect(screen.getByText('What you typed is not lost. Copy it before you continue:')).toBeVisible();
  expect(screen.getByText('We are moving to Halifax.')).toBeVisible();
  expect(screen.queryByText('a long secret')).toBeNull();
  expect(screen.queryByText('Email')).toBeNull();
  logged.mockRestore();
});
