// Vite plugin: after the build for browsers, builds the interface once more for Node, draws the public pages with it,
// and lays them into `templates/` for the server to fill. Which style sheets a page has stands in its head as a
// comment: the server sets their text in its place. Its scripts stand there by name: `src/start.ts` asks for them.
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

/** Loads the interface as Node runs it. */
async function load(root: string, outDir: string): Promise<Templates> {
  await build({ root, mode: 'template', logLevel: 'error', build: { ssr: 'src/templates.tsx', outDir, manifest: false } });
  return (await import(pathToFileURL(join(outDir, 'templates.js')).href)) as Templates;
}

type Files = { styles: string[]; scripts: string[] };

/** In a page's head: its style sheets, and its scripts after those of every page. */
function headOf({ styles, scripts }: Files, start: string, everywhere: string[]): string {
  const named = [...everywhere, ...scripts.map((file) => `/${file}`)];
  return [
    mark,
    `<!--schoolhouse:styles ${styles.map((file) => `/${file}`).join(' ')}-->`,
    `<meta name="scripts" content="${named.join(' ')}" />`,
    `<script type="module" crossorigin src="/${start}"></script>`,
  ].join('\n    ');
}

/** The style sheets of some chunks in the order in which they count, and the scripts that the shell does not name. */
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

/** `/courses?grade=9` → `courses-grade-9`; the server makes the same names. */
function nameOf(address: string): string {
  return address.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'home';
}
