// The first script of a page that came drawn, and the only one that comes with it: such a page is read, its links are
// followed and its forms are sent without any other. The interface is asked for at the first sign of somebody who may
// want more of it, so that who only reads pays for nothing else. Which files it has stands in the page's head
// (`scripts/write-templates.ts`), the one that starts first.
const signs = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'keydown', 'focusin', 'input', 'click'];
const root = document.querySelector<HTMLElement>('#root[data-drawn]');
/** Pressed before there was anybody to answer. */
let pressed: HTMLButtonElement | null = null;

function start(event?: Event) {
  // A browser tells of a pointer that rests where the page appears.
  if (event instanceof PointerEvent && event.type === 'pointermove' && event.movementX === 0 && event.movementY === 0) return;
  for (const sign of signs) document.removeEventListener(sign, start, true);
  const [entry, ...others] = document.querySelector<HTMLMetaElement>('meta[name="scripts"]')?.content.split(' ') ?? [];
  for (const href of others) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }));
  }
  if (entry) import(/* @vite-ignore */ entry).catch(listen);
}

/** At the first sign, and at the next one where what was asked for did not arrive. */
function listen() {
  for (const sign of signs) document.addEventListener(sign, start, { capture: true, passive: true });
}

/** Keeps what only the interface can answer; a button with a command is the browser's own, where it knows them. */
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
if (document.activeElement !== document.body) start();
if (new URLSearchParams(location.search).has('print')) addEventListener('load', () => print());
