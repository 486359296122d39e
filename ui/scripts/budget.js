// Compares each page's download size (brotli, from the build's manifest) with its budget. Run after a build: `npm run
// budget`.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { frames } from './frames.js';

/** @typedef {{ file: string, css?: string[], assets?: string[], imports?: string[], dynamicImports?: string[] }} Chunk */

const folder = process.env.OUT ?? 'dist';
/** @type {Record<string, Chunk>} */
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
const entry = 'index.html';

/** @typedef {{ page: string, budget?: string }} Row */

/** @type {Record<string, Record<string, Row>>} */
const table = JSON.parse(readFileSync('pages.json', 'utf8'));

/** Scripts by the area of a page, or by the budget that its row names. @type {Record<string, number>} */
const scripts_kb = { public: 110, contact: 130, account: 140, student: 150, office: 170 };
const budgets_kb = { css: 15, officeCss: 18, fonts: 55, firstVisit: 120, firstLoad: 190 };
/** Style sheets shared by all pages, the area's and the page's: each more delays the first paint by a request. */
const most_sheets = 3;

/** Rarely loaded parts: second factor, identity dialog, removing a document, editing a profile, leaving a course; in the office lost files, profiles, emails, addresses, merges, closing accounts, checks, external credits, rejected and waived documents and enrolling by hand. */
const seldom = /(CodeField|ConfirmIdentityDialog|CorrectEmailDialog|GuardianDialog|IdentityQuestion|LeaveDialog|RefusePlaceDialog|WithdrawDialog|ProfileDialog|LostFileDialogs|MergeDialog|ResetFactorDialog|ReasonDialog|ExternalCreditDialogs|EnrollStudentDialog|RemoveDialog|EditStudentDialog|RejectDialog|WaiveDialog|WriteDialog)[-.]/;

/**
 * Every chunk that a page loads: its own, the entry's, their imports, and the page's dynamic imports (such as a
 * dialog's form), except `seldom`. Dynamic imports of shared chunks are other pages.
 * @param {string} key
 * @param {Set<string>} seen
 */
function collect(key, seen) {
  if (seen.has(key)) return seen;
  const chunk = manifest[key];
  if (!chunk) throw new Error(`${key} is not in the manifest`);
  seen.add(key);
  const later = everybodys.has(key) ? [] : (chunk.dynamicImports ?? []).filter((chunk) => !seldom.test(chunk));
  for (const imported of [...(chunk.imports ?? []), ...later]) collect(imported, seen);
  return seen;
}

/** The entry and its imports. @type {Set<string>} */
const everybodys = new Set([entry]);
for (const key of everybodys) {
  for (const imported of manifest[key]?.imports ?? []) everybodys.add(imported);
}

/** @param {string} file */
function kilobytes(file) {
  const path = join(folder, file);
  // Fonts are already compressed; the shell and small files have no compressed copy.
  if (file.endsWith('.woff2')) return statSync(path).size / 1000;
  const copy = `${path}.br`;
  return (existsSync(copy) ? statSync(copy).size : brotliCompressSync(readFileSync(path)).length) / 1000;
}

/** @param {Iterable<string>} files */
const total = (files) => [...new Set(files)].reduce((sum, file) => sum + kilobytes(file), 0);

let isOver = false;
/**
 * @param {string} name
 * @param {number} size_kb
 * @param {number} budget_kb
 */
function check(name, size_kb, budget_kb) {
  const over = size_kb > budget_kb;
  isOver ||= over;
  console.log(`${over ? 'OVER' : 'ok  '} ${name.padEnd(44)} ${size_kb.toFixed(1).padStart(6)} of ${budget_kb} KB`);
}

/** @param {Iterable<string>} keys @param {(chunk: Chunk) => string[]} pick */
const files = (keys, pick) => [...keys].flatMap((key) => pick(/** @type {Chunk} */ (manifest[key])));

/** @param {string} area @param {string} path @param {Row} row */
function checkPage(area, path, { page, budget = area }) {
  const [frame, budget_kb] = [frames[area], scripts_kb[budget]];
  if (!frame || !budget_kb) throw new Error(`pages.json: ${path} has no budget`);
  const starter = area === 'public' ? ['src/start.ts'] : [];
  const keys = [entry, ...starter, ...[...frame, page].map((name) => `src/${name}.tsx`)].reduce((seen, key) => collect(key, seen), /** @type {Set<string>} */ (new Set()));
  const js = total(files(keys, (chunk) => [chunk.file]));
  const sheets = new Set(files(keys, (chunk) => chunk.css ?? []));
  const css = total(sheets);
  check(`${path}: scripts`, js, budget_kb);
  check(`${path}: styles`, css, area === 'office' ? budgets_kb.officeCss : budgets_kb.css);
  if (sheets.size > most_sheets) {
    isOver = true;
    console.log(`OVER ${path}: ${sheets.size} style sheets, and ${most_sheets} are the most`);
  }
  if (path !== '/') return;
  // Fonts that every page loads: others are loaded when a character needs them.
  const fonts = total(files(keys, (chunk) => chunk.assets ?? []).filter((file) => /-latin-.*\.woff2$/.test(file)));
  check('fonts', fonts, budgets_kb.fonts);
  // The prerendered page with inlined style sheets, and the scripts loaded on first interaction.
  const [drawn, start] = [kilobytes('templates/home.html') + css + fonts, kilobytes(manifest['src/start.ts']?.file ?? '')];
  check('/: first visit', drawn + start, budgets_kb.firstVisit);
  check('/: first load', drawn + js, budgets_kb.firstLoad);
}

for (const [area, rows] of Object.entries(table)) {
  for (const [path, row] of Object.entries(rows)) checkPage(area, path, row);
}

process.exitCode = isOver ? 1 : 0;
