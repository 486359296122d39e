// The first script of a page that the build drew, and a small one: the page is seen before the others are asked for,
// which would share the line with its words, letters and pictures. Which they are stands in the page's head
// (`scripts/write-templates.ts`), the one that starts first.
const named = document.querySelector<HTMLMetaElement>('meta[name="scripts"]')?.content.split(' ') ?? [];

function start() {
  const [entry, ...others] = named;
  for (const href of others) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href }));
  }
  if (entry) void import(/* @vite-ignore */ entry);
}

// A tab in the background is painted when somebody looks at it.
if (document.hidden) start();
else requestAnimationFrame(() => setTimeout(start));
