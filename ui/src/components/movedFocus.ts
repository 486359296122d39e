// The focus that a decision moves to the next row: a key meant for the previous row must do nothing there. Focus moved by
// the person, with Tab or a click, is not held up.

/** A key pressed this soon after was meant for the previous element. */
const settles_ms = 400;

let moved: { to: Element; at_ms: number } | null = null;

export function moveFocus(to: HTMLElement | null, options?: FocusOptions) {
  to?.focus(options);
  moved = to && { to, at_ms: Date.now() };
}

export function wasFocusJustMoved(to: Element): boolean {
  return moved?.to === to && Date.now() - moved.at_ms < settles_ms;
}
