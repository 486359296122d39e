// The focus that comes to a button by itself, from a decided row or a dialog whose form was sent: a key meant for the
// previous element must do nothing there. Focus moved by the person, with Tab, Escape or a click, is not held up.

/** A key pressed this soon after was meant for the previous element. */
const settles_ms = 400;

let moved: { to: Element | null; at_ms: number };

/** To the button of the next row. */
export function moveFocus(to: HTMLElement | null, options?: FocusOptions) {
  to?.focus(options);
  ignoreLateKeys(to);
}

/** For an element that has just received the focus, from the browser too. */
export function ignoreLateKeys(to: Element | null) {
  moved = { to, at_ms: Date.now() };
  to?.addEventListener('keydown', ignoreLate);
}

function ignoreLate(this: Element, event: Event) {
  if (moved.to !== this || Date.now() - moved.at_ms >= settles_ms) return this.removeEventListener('keydown', ignoreLate);
  // Not what bubbles up: the focus may have returned to the whole page.
  if (event.target === this && /^(Enter| )$/.test((event as KeyboardEvent).key)) event.preventDefault();
}
