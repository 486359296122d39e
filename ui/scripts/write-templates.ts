// Vite plugin: after the browser build, builds the interface for Node and prerenders the public pages into
// `templates/`, which the server fills. A comment in a page's head lists its style sheets, which the server inlines,
// and its scripts, which `src/start.ts` loads.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Manifest, type Plugin, type ResolvedConfig } from 'vite';
import type { Address } from '../src/templates.tsx';
import { compress } from './compress-assets.ts';

type Templates = { addresses: Address[]; draw: (address: string) => Promise<string> };

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
    async writeBundle() {
      const folder = resolve(config.root, config.build.outDir);
      const manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest;
      const index = await readFile(join(folder, shell), 'utf8');
      const html = [noscript, sheets, scripts].reduce((rest, pattern) => rest.replace(pattern, ''), index);
      const everywhere = [...index.matchAll(scripts)].map(([, address = '']) => address);
      const start = manifest[starter]?.file;
      if (!start || everywhere.length < 2) throw new Error('the shell or the manifest does not name its scripts');
      const forNode = await mkdtemp(join(config.root, 'node_modules/.templates-'));
      await mkdir(join(folder, 'templates'), { recursive: true });
      try {
        const { addresses, draw } = await load(config.root, forNode);
        await Promise.all(
          addresses.map(async ({ address, page }) => {
            const files = filesOf(manifest, page ? [shell, `src/${page}.tsx`] : [shell]);
            const [head, drawn] = [headOf(files, start, everywhere), await draw(address)];
            const filled = html.replace(mark, () => head).replace(empty, () => `<div id="root" data-drawn>${drawn}</div>`);
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

/** Head content of a page: its style sheets and scripts. */
function headOf({ styles, scripts }: Files, start: string, everywhere: string[]): string {
  const named = [...everywhere, ...scripts.map((file) => `/${file}`)];
  return [
    mark,
    `<!--schoolhouse:styles ${styles.map((file) => `/${file}`).join(' ')}-->`,
    `<meta name="scripts" content="${named.join(' ')}" />`,
    `<script type="module" crossorigin src="/${start}"></script>`,
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
