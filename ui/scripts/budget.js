// Compares the size (brotli) and number of the files that a page needs to appear with its budget. Run after a build:
// `npm run budget`.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** @typedef {{ css?: string[], assets?: string[], dynamicImports?: string[] }} Chunk */
/** @typedef {{ page: string, budget?: string }} Row */

const folder = process.env.OUT ?? 'dist';
/** @type {Record<string, Chunk>} */
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
/** @type {Record<string, Record<string, Row>>} */
const table = JSON.parse(readFileSync('pages.json', 'utf8'));

/** Size and number of scripts, by the area of a page or by the budget in its row. @type {Record<string, { kb: number, files: number }>} */
const scripts = {
  public: { kb: 110, files: 6 },
  contact: { kb: 130, files: 8 },
  account: { kb: 152, files: 14 },
  student: { kb: 154, files: 12 },
  office: { kb: 180, files: 12 },
};
const budgets_kb = { css: 15, officeCss: 18, fonts: 55, firstVisit: 120, firstLoad: 190 };
/** The style sheet of all pages, the area's and the page's: each more is a request on the way to another page. */
const most_sheets = 3;

/** @param {string} file */
function kilobytes(file) {
  const path = join(folder, file);
  // Fonts are already compressed; small files have no compressed copy.
  if (file.endsWith('.woff2')) return statSync(path).size / 1000;
  const copy = `${path}.br`;
  return (existsSync(copy) ? statSync(copy).size : brotliCompressSync(readFileSync(path)).length) / 1000;
}

/** @param {Iterable<string>} files */
const total = (files) => [...new Set(files)].reduce((sum, file) => sum + kilobytes(file), 0);

let isOver = false;
/** @param {string} name @param {number} found @param {number} budget @param {string} unit */
function check(name, found, budget, unit = 'KB') {
  const over = found > budget;
  isOver ||= over;
  console.log(`${over ? 'OVER' : 'ok  '} ${name.padEnd(44)} ${found.toFixed(unit === 'KB' ? 1 : 0).padStart(6)} of ${budget} ${unit}`);
}

/** The files in the head of a prerendered page (`write-templates.ts`). @param {string} path */
function namedBy(path) {
  // One template serves all courses.
  const name = path.replace(':code', 'code').replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'home';
  const html = readFileSync(join(folder, 'templates', `${name}.html`), 'utf8');
  const within = (/** @type {RegExp} */ pattern) => [...html.matchAll(pattern)].flatMap(([, files = '']) => files.split(' '));
  const [start = ''] = within(/<script type="module" crossorigin [^>]*src="([^"]+)"/g);
  return { name, start, js: within(/(?:<meta name="scripts" content|modulepreload" crossorigin [^>]*href|<script type="module" crossorigin [^>]*src)="([^"]+)"/g), sheets: within(/schoolhouse:styles (.*?)-->/g) };
}

/** @param {string} area @param {string} path @param {Row} row */
function checkPage(area, path, { page, budget = area }) {
  const most = scripts[budget];
  if (!most) throw new Error(`pages.json: ${path} has no budget`);
  const { name, start, js, sheets } = namedBy(path);
  const own = area === 'public' ? js.filter((file) => file !== start) : js;
  check(`${path}: scripts`, total(js), most.kb);
  check(`${path}: files of them`, own.length, most.files, 'files');
  check(`${path}: styles`, total(sheets), area === 'office' ? budgets_kb.officeCss : budgets_kb.css);
  if (sheets.length > most_sheets) {
    isOver = true;
    console.log(`OVER ${path}: ${sheets.length} style sheets, and ${most_sheets} are the most`);
  }
  if (area === 'public' && manifest[`src/${page}.tsx`]?.dynamicImports) throw new Error(`${path} imports more dynamically, which is not counted`);
  if (path !== '/') return;
  // Fonts that every page loads: others are loaded when a character needs them.
  const fonts = total(Object.values(manifest).flatMap(({ assets = [] }) => assets).filter((file) => /-latin-.*\.woff2$/.test(file)));
  check('fonts', fonts, budgets_kb.fonts);
  // The prerendered page with inlined style sheets, and the scripts loaded on first interaction.
  const drawn = kilobytes(`templates/${name}.html`) + total(sheets) + fonts;
  check('/: first visit', drawn + kilobytes(start), budgets_kb.firstVisit);
  check('/: first load', drawn + total(js), budgets_kb.firstLoad);
}

for (const [area, rows] of Object.entries(table)) {
  for (const [path, row] of Object.entries(rows)) checkPage(area, path, row);
}

process.exitCode = isOver ? 1 : 0;
