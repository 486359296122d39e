import { afterEach, expect, it } from 'vitest';
import { isForScreen } from './useKeys.ts';

afterEach(() => document.body.replaceChildren());

function press(html: string, init: KeyboardEventInit = {}): boolean {
  document.body.innerHTML = html;
  const event = new KeyboardEvent('keydown', { key: 'a', bubbles: true, cancelable: true, ...init });
  let found = false;
  const listen = (heard: KeyboardEvent) => (found = isForScreen(heard));
  document.addEventListener('keydown', listen);
  (document.querySelector('[data-here]') ?? document.body).dispatchEvent(event);
  document.removeEventListener('keydown', listen);
  return found;
}

it('applies when no text field has the focus', () => {
  for (const html of ['', '<button data-here>Accept</button>', '<input type="checkbox" data-here>', '<h2 tabindex="-1" data-here>Review</h2>']) {
    expect([html, press(html)]).toEqual([html, true]);
  }
});

it('is left to fields, to dialogs, to held keys and to the browser', () => {
  for (const html of ['<input data-here>', '<textarea data-here></textarea>', '<select data-here></select>', '<dialog open><button data-here>No</button></dialog>', '<dialog open></dialog>']) {
    expect([html, press(html)]).toEqual([html, false]);
  }
  for (const init of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { repeat: true }]) expect(press('', init)).toBe(false);
});
