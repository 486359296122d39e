import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Dialog } from './Dialog.tsx';
import { ignoreLateKeys, moveFocus } from './movedFocus.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Whether Enter would press the focused element. */
const enterPresses = () => document.activeElement !== null && fireEvent.keyDown(document.activeElement, { key: 'Enter' });

test('a key is ignored only where the focus has just moved by itself', () => {
  render(<><button type="button">Next</button><button type="button">Other</button></>);
  const next = screen.getByRole('button', { name: 'Next' });
  const other = screen.getByRole('button', { name: 'Other' });
  moveFocus(next);
  expect(next).toHaveFocus();
  expect([enterPresses(), fireEvent.keyDown(next, { key: ' ' }), fireEvent.keyDown(next, { key: 'Tab' })]).toEqual([false, false, true]);
  // As with Tab or a click.
  other.focus();
  expect(enterPresses()).toBe(true);
  next.focus();
  vi.advanceTimersByTime(400);
  expect(enterPresses()).toBe(true);
});

test('fields accept keys when the focus has returned to the page itself', () => {
  render(<input aria-label="Amount" />);
  ignoreLateKeys(document.body);
  screen.getByLabelText('Amount').focus();
  expect(enterPresses()).toBe(true);
});

/** With a button that opens a dialog, whose own button closes it. */
function Opener() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>Open</button>
      {isOpen && <Dialog title="Payment" onClose={() => setIsOpen(false)}><button type="button" onClick={() => setIsOpen(false)}>Record</button></Dialog>}
    </>
  );
}

/** Opens the dialog, and closes it after a key pressed in it; whether the next Enter opens it again. */
async function opensAgainAfter(key: string) {
  const open = screen.getByRole('button', { name: 'Open' });
  open.focus();
  fireEvent.click(open);
  const record = screen.getByRole('button', { name: 'Record' });
  fireEvent.keyDown(record, { key });
  if (key === 'Enter') fireEvent.click(record);
  await vi.advanceTimersByTimeAsync(0);
  expect(open).toHaveFocus();
  return enterPresses();
}

test('a second Enter that comes after the dialog has closed does not open it again', async () => {
  render(<Opener />);
  expect(await opensAgainAfter('Enter')).toBe(false);
  vi.advanceTimersByTime(400);
  expect(enterPresses()).toBe(true);
  expect(await opensAgainAfter('Escape')).toBe(true);
});
