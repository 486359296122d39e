// Vite plugin: after the browser build, builds the interface for Node and prerenders every page into `templates/`, which
// the server fills; of the portals' pages only the frame. A comment in a page's head lists its style sheets, which the
// server inlines. Pages that work without scripts name theirs in a `meta` element, for `src/start.ts` to load; all
// others load them at once.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Manifest, type Plugin, type ResolvedConfig } from 'vite';
import type { Address } from '../src/templates.tsx';
import { compress } from './compress-assets.ts';
import { doors, frames } from './frames.js';

type Templates = { addresses: Address[]; draw: (address: string) => Promise<string> };

/** The first call of a portal's page. */
const asks: { [area: string]: string } = { student: '/api/students/me', office: '/api/user' };

const shell = 'index.html';
const starter = 'src/start.ts';
const mark = '<!--schoolhouse:head-->';
const empty = '<div id="root"></div>';
const noscript = /\s*<noscript>.*?<\/noscript>/s;
const sheets = /\s*<link rel="stylesheet"[^>]*>/g;
const scripts = /\s*<(?:script type="module" crossorigin src|link rel="modulepreload" crossorigin href)="([^"]+)">(?:<\/script>)?/g;

export function writeTemplates(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'schoolhouse:write-templates',
    apply: ({ mode }, { command }) => command === 'build' && mode !== 'template',
    configResolved(resolved) {
      config = resolved;
    },
    async writeBundle(_, bundle) {
      const folder = resolve(config.root, config.build.outDir);
      const manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;
      const index = await readFile(join(folder, shell), 'utf8');
      const html = [sheets, scripts].reduce((rest, pattern) => rest.replace(pattern, ''), index);
      const everywhere = [...index.matchAll(scripts)].map(([, address = '']) => address);
      const start = manifest[starter]?.file;
      /** The manifest's key of a module's chunk: the module of an entry, the file name of a shared chunk. */
      const keyOf = (name: string) => {
        const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.moduleIds.includes(join(config.root, 'src', name)));
        return Object.keys(manifest).find((key) => manifest[key]?.file === chunk?.fileName) ?? name;
      };
      if (!start || everywhere.length < 2) throw new Error('the shell or the manifest does not name its scripts');
      const forNode = await mkdtemp(join(config.root, 'node_modules/.templates-'));
      await mkdir(join(folder, 'templates'), { recursive: true });
      try {
        const { addresses, draw } = await load(config.root, forNode);
        await Promise.all(
          addresses.map(async ({ address, area, page, isPlain }) => {
            const names = [...(frames[area] ?? []), ...(page ? [page] : [])].map((name) => `${name}.tsx`);
            const files = filesOf(manifest, [shell, ...[...(area === 'public' ? [] : doors), ...names].map(keyOf)]);
            const head = headOf(files, everywhere, isPlain ? start : null, asks[area]);
            const drawn = area in asks ? 'data-drawn="frame"' : 'data-drawn';
            const root = `<div id="root" ${drawn}>${await draw(address)}</div>`;
            const filled = (isPlain ? html.replace(noscript, '') : html).replace(mark, () => head).replace(empty, () => root);
            const path = join(folder, 'templates', `${nameOf(address)}.html`);
            await writeFile(path, filled);
            await compress(path);
          }),
        );
      } finally {
        await rm(forNode, { recursive: true });
      }
    },
  };
}

/** Loads the Node build. */
async function load(root: string, outDir: string): Promise<Templates> {
  await build({ root, mode: 'template', logLevel: 'error', build: { ssr: 'src/templates.tsx', outDir, manifest: false } });
  return (await import(pathToFileURL(join(outDir, 'templates.js')).href)) as Templates;
}

type Files = { styles: string[]; scripts: string[] };

/** Head content of a page: its style sheets, its scripts, and the first call of those. */
function headOf({ styles, scripts }: Files, everywhere: string[], start: string | null, asked?: string): string {
  const [entry, ...others] = [...everywhere, ...scripts.map((file) => `/${file}`)];
  return [
    mark,
    `<!--schoolhouse:styles ${styles.map((file) => `/${file}`).join(' ')}-->`,
    ...(start ? [`<meta name="scripts" content="${[entry, ...others].join(' ')}" />`] : []),
    // The frame's fonts come before the scripts.
    `<script type="module" crossorigin ${start ? `src="/${start}"` : `fetchpriority="low" src="${entry}"`}></script>`,
    ...(start ? [] : others.map((href) => `<link rel="modulepreload" crossorigin fetchpriority="low" href="${href}" />`)),
    ...(asked ? [`<link rel="preload" as="fetch" crossorigin="use-credentials" href="${asked}" />`] : []),
  ].join('\n    ');
}

/** Style sheets of chunks in cascade order, and scripts not in the shell. */
function filesOf(manifest: Manifest, keys: string[]): Files {
  const [styles, scripts, shells] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const collect = (key: string, into: Set<string>) => {
    const chunk = manifest[key];
    if (!chunk) throw new Error(`${key} is not in the manifest`);
    if (into.has(chunk.file)) return;
    into.add(chunk.file);
    for (const imported of chunk.imports ?? []) collect(imported, into);
    for (const sheet of chunk.css ?? []) styles.add(sheet);
  };
  collect(shell, shells);
  for (const key of keys) collect(key, scripts);
  return { styles: [...styles], scripts: [...scripts].filter((file) => !shells.has(file)) };
}

/** `/courses?grade=9` → `courses-grade-9`, as on the server. */
function nameOf(address: string): string {
  return address.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'home';
}
