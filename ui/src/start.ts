// The only script that a prerendered page loads at first: reading, links and forms work without any other. The
// interface loads at the first sign of interaction, so that readers download nothing else. Its files are listed in the
// page's head (`scripts/write-templates.ts`), entry first.
const signs = ['pointermove', 'pointerdown', 'wheel', 'keydown', 'focusin', 'input', 'click'];
const root = document.querySelector<HTMLElement>('#root[data-drawn]');
/** The control pressed before the interface was loaded. */
let pressed: HTMLButtonElement | null = null;

function start(event?: Event) {
  // Browsers report a pointer that rests where the page appears.
  if (event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY) return;
  for (const sign of signs) document.removeEventListener(sign, start, true);
  const [entry, ...others] = document.querySelector<HTMLMetaElement>('meta[name=scripts]')?.content.split(' ') ?? [];
  for (const href of others) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }));
  }
  import(/* @vite-ignore */ entry as string).catch(listen);
}

/** Loads the interface at the first sign, and again at the next one after a failure. */
function listen() {
  for (const sign of signs) document.addEventListener(sign, start, { capture: true, passive: true });
}

/** Remembers presses that need the interface; buttons with a supported command are handled by the browser. */
function keep(event: MouseEvent) {
  const button = event.target instanceof Element && event.target.closest<HTMLButtonElement>('button[type="button"]');
  if (!button || ('commandForElement' in button && button.hasAttribute('commandfor'))) return;
  event.stopPropagation();
  pressed = button;
}

function answer() {
  document.removeEventListener('click', keep, true);
  pressed?.click();
}

listen();
document.addEventListener('click', keep, true);
if (root) new MutationObserver(answer).observe(root, { attributeFilter: ['data-drawn'] });
// Only the interface can show what the browser keeps with a history entry.
if (document.activeElement !== document.body || history.state?.usr) start();
if (new URLSearchParams(location.search).has('print')) addEventListener('load', () => print());
