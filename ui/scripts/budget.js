// Weighs what a visitor downloads (brotli, from the build's manifest) against the budgets,
// and fails past them. Run it after a build: `npm run budget`.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** @typedef {{ file: string, css?: string[], assets?: string[], imports?: string[] }} Chunk */

const folder = process.env.OUT ?? 'dist';
/** @type {Record<string, Chunk>} */
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
const entry = 'index.html';

const budgets_kb = { js: 110, contact: 130, css: 15, fonts: 55, firstLoad: 190 };

const pages = {
  home: 'src/school/HomePage.tsx',
  about: 'src/school/AboutPage.tsx',
  services: 'src/school/ServicesPage.tsx',
  courses: 'src/courses/CoursesPage.tsx',
  contact: 'src/messages/ContactPage.tsx',
  terms: 'src/school/TermsPage.tsx',
  privacy: 'src/school/PrivacyPage.tsx',
};

/**
 * Every chunk that a page loads: its own, the entry's, and what they import.
 * @param {string} key
 * @param {Set<string>} seen
 */
function collect(key, seen) {
  if (seen.has(key)) return seen;
  const chunk = manifest[key];
  if (!chunk) throw new Error(`${key} is not in the manifest`);
  seen.add(key);
  for (const imported of chunk.imports ?? []) collect(imported, seen);
  return seen;
}

/** @param {string} file */
function kilobytes(file) {
  const path = join(folder, file);
  // Fonts are compressed already; a file below the plugin's limit has no brotli copy.
  if (file.endsWith('.woff2')) return statSync(path).size / 1000;
  return brotliCompressSync(readFileSync(path)).length / 1000;
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
  console.log(`${over ? 'OVER' : 'ok  '} ${name.padEnd(22)} ${size_kb.toFixed(1).padStart(6)} of ${budget_kb} KB`);
}

/** @param {Iterable<string>} keys @param {(chunk: Chunk) => string[]} pick */
const files = (keys, pick) => [...keys].flatMap((key) => pick(/** @type {Chunk} */ (manifest[key])));

for (const [name, key] of Object.entries(pages)) {
  const keys = collect(key, collect(entry, new Set()));
  const js = total(files(keys, (chunk) => [chunk.file]));
  check(`${name}: scripts`, js, name === 'contact' ? budgets_kb.contact : budgets_kb.js);
  if (name !== 'home') continue;
  const css = total(files(keys, (chunk) => chunk.css ?? []));
  const fonts = total(files(keys, (chunk) => chunk.assets ?? []).filter((file) => file.endsWith('.woff2')));
  check('style sheet', css, budgets_kb.css);
  check('fonts', fonts, budgets_kb.fonts);
  check('home: first load', js + css + fonts + kilobytes('index.html'), budgets_kb.firstLoad);
}

process.exitCode = isOver ? 1 : 0;
