// Weighs what a visitor downloads (brotli, from the build's manifest) against the budgets,
// and fails past them. Run it after a build: `npm run budget`.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/** @typedef {{ file: string, css?: string[], assets?: string[], imports?: string[], dynamicImports?: string[] }} Chunk */

const folder = process.env.OUT ?? 'dist';
/** @type {Record<string, Chunk>} */
const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'));
const entry = 'index.html';

const budgets_kb = { js: 110, contact: 130, portal: 140, student: 150, office: 170, css: 15, officeCss: 18, fonts: 55, firstLoad: 190 };

const student = 'src/students/StudentLayout.tsx';
const office = 'src/staff/OfficeLayout.tsx';
const account = 'src/students/AccountLayout.tsx';

/** @type {Record<string, { chunks: string[], budget_kb: number }>} */
const pages = {
  home: { chunks: ['src/school/HomePage.tsx'], budget_kb: budgets_kb.js },
  about: { chunks: ['src/school/AboutPage.tsx'], budget_kb: budgets_kb.js },
  services: { chunks: ['src/school/ServicesPage.tsx'], budget_kb: budgets_kb.js },
  courses: { chunks: ['src/courses/CoursesPage.tsx'], budget_kb: budgets_kb.js },
  contact: { chunks: ['src/messages/ContactPage.tsx'], budget_kb: budgets_kb.contact },
  terms: { chunks: ['src/school/TermsPage.tsx'], budget_kb: budgets_kb.js },
  privacy: { chunks: ['src/school/PrivacyPage.tsx'], budget_kb: budgets_kb.js },
  'student login': { chunks: [account, 'src/students/AuthPage.tsx'], budget_kb: budgets_kb.portal },
  'student verify': { chunks: [account, 'src/students/VerifyPage.tsx'], budget_kb: budgets_kb.portal },
  'student forgot': { chunks: [account, 'src/students/ForgotPasswordPage.tsx'], budget_kb: budgets_kb.portal },
  'student reset': { chunks: [account, 'src/students/ResetPasswordPage.tsx'], budget_kb: budgets_kb.portal },
  'student dashboard': { chunks: [student, 'src/students/DashboardPage.tsx'], budget_kb: budgets_kb.student },
  'student courses': { chunks: [student, 'src/enrollments/AvailableCoursesPage.tsx'], budget_kb: budgets_kb.student },
  'student account': { chunks: [student, 'src/students/AccountPage.tsx'], budget_kb: budgets_kb.student },
  'office account': { chunks: [office, 'src/staff/AccountPage.tsx'], budget_kb: budgets_kb.office },
  'office login': { chunks: [account, 'src/staff/LoginPage.tsx'], budget_kb: budgets_kb.portal },
  'office reset': { chunks: [account, 'src/staff/ResetPasswordPage.tsx'], budget_kb: budgets_kb.portal },
  'office dashboard': { chunks: [office, 'src/dashboard/DashboardPage.tsx'], budget_kb: budgets_kb.office },
  'office courses': { chunks: [office, 'src/courses/ManageCoursesPage.tsx'], budget_kb: budgets_kb.office },
  'office documents': { chunks: [office, 'src/documents/AllDocumentsPage.tsx'], budget_kb: budgets_kb.office },
  'office messages': { chunks: [office, 'src/messages/MessagesPage.tsx'], budget_kb: budgets_kb.office },
  'office mail': { chunks: [office, 'src/mail/MailPage.tsx'], budget_kb: budgets_kb.office },
  'office charges': { chunks: [office, 'src/enrollments/ChargesPage.tsx'], budget_kb: budgets_kb.office },
  'office identity changes': { chunks: [office, 'src/students/IdentityChangesPage.tsx'], budget_kb: budgets_kb.office },
  'office requests': { chunks: [office, 'src/admissions/AdmissionRequestsPage.tsx'], budget_kb: budgets_kb.office },
};

/**
 * Every chunk that a page loads: its own, the entry's, what they import, and what a page loads
 * later (a dialog's form, say). The entry's own later ones are the other pages.
 * @param {string} key
 * @param {Set<string>} seen
 */
function collect(key, seen) {
  if (seen.has(key)) return seen;
  const chunk = manifest[key];
  if (!chunk) throw new Error(`${key} is not in the manifest`);
  seen.add(key);
  const later = key === entry ? [] : (chunk.dynamicImports ?? []);
  for (const imported of [...(chunk.imports ?? []), ...later]) collect(imported, seen);
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
  console.log(`${over ? 'OVER' : 'ok  '} ${name.padEnd(28)} ${size_kb.toFixed(1).padStart(6)} of ${budget_kb} KB`);
}

/** @param {Iterable<string>} keys @param {(chunk: Chunk) => string[]} pick */
const files = (keys, pick) => [...keys].flatMap((key) => pick(/** @type {Chunk} */ (manifest[key])));

for (const [name, { chunks, budget_kb }] of Object.entries(pages)) {
  const keys = [entry, ...chunks].reduce((seen, key) => collect(key, seen), /** @type {Set<string>} */ (new Set()));
  const js = total(files(keys, (chunk) => [chunk.file]));
  const css = total(files(keys, (chunk) => chunk.css ?? []));
  check(`${name}: scripts`, js, budget_kb);
  check(`${name}: styles`, css, chunks.includes(office) ? budgets_kb.officeCss : budgets_kb.css);
  if (name !== 'home') continue;
  // Those that every page loads: the others wait for a letter of theirs.
  const fonts = total(files(keys, (chunk) => chunk.assets ?? []).filter((file) => /-latin-.*\.woff2$/.test(file)));
  check('fonts', fonts, budgets_kb.fonts);
  check('home: first load', js + css + fonts + kilobytes('index.html'), budgets_kb.firstLoad);
}

process.exitCode = isOver ? 1 : 0;
