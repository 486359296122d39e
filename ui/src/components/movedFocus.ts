// The focus that moves by itself, as from a decided row to the next: a key that was meant for the place before must
// do nothing in the new one. A person who goes there, by Tab or by a press, is not held up.

/** A key that comes this soon was meant for the place before. */
const settles_ms = 400;

let moved: { to: Element; at_ms: number } | null = null;

export function moveFocus(to: HTMLElement | null, options?: FocusOptions) {
  to?.focus(options);
  moved = to && { to, at_ms: Date.now() };
}

export function hasJustCome(to: Element): boolean {
  return moved?.to === to && Date.now() - moved.at_ms < settles_ms;
}
