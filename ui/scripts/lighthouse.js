// Measures every public page of the demo with Lighthouse on a simulated phone, and prints the table.
//
// Fails below 100 for accessibility, best practices or search engines, on layout shifts, and on heavy first visits.
// Speed depends on the machine and counts only with `--fast`: on an idle machine, with a release build. Then each page
// is also loaded over a really throttled connection instead of a simulated one.
//
//     node scripts/lighthouse.js PROGRAM [--fast]
/* oxlint-disable no-await-in-loop -- pages are measured one after the other: two at once are slower, each */
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';

const goals = { performance: 98, accessibility: 100, 'best-practices': 100, seo: 100 };
const pages = ['/', '/about', '/services', '/courses', '/courses?grade=12', '/courses/MHF4U', '/contact', '/terms', '/privacy'];
/** Cumulative layout shift. */
const most_shift = 0.02;
const most_bytes = 120_000;
/** Of the home page, with applied throttling. */
const latest_paint_ms = 1200;
/** Attempts per page: other load only makes it slower or fail. */
const tries = 3;

const [program = '', ...flags] = process.argv.slice(2);
const isFast = flags.includes('--fast');

/** @returns {Promise<number>} A free port. */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** @param {string} base @param {import('node:child_process').ChildProcess} server */
async function untilReady(base, server) {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`${program} ended before it served`);
    const isReady = await fetch(`${base}/courses/MHF4U`).then(({ ok }) => ok, () => false);
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** @param {string} address @param {number} port @param {import('lighthouse').Flags} [flags] */
async function measure(address, port, flags = {}) {
  const result = await lighthouse(address, { port, logLevel: 'error', output: 'json', ...flags });
  if (!result || result.lhr.runtimeError) throw new Error(`${address}: ${result?.lhr.runtimeError?.message ?? 'no result'}`);
  const { audits, categories } = result.lhr;
  const scores = Object.fromEntries(Object.keys(goals).map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]));
  /** @param {string} name */
  const value = (name) => audits[name]?.numericValue ?? Number.NaN;
  const failed = Object.values(categories).flatMap(({ auditRefs }) => auditRefs).filter(({ id, weight, group }) => {
    const score = audits[id]?.score;
    return weight > 0 && group !== 'metrics' && score !== null && score !== undefined && score < 1;
  });
  return { scores, value, failed: failed.map(({ id }) => id) };
}

/** @param {Awaited<ReturnType<typeof measure>>} measured @returns {string[]} The goals that a page misses. */
function missedBy({ scores, value }) {
  const counted = Object.entries(goals).filter(([name]) => isFast || name !== 'performance');
  const missed = counted.filter(([name, goal]) => (scores[name] ?? 0) < goal).map(([name]) => name);
  if (value('cumulative-layout-shift') > most_shift) missed.push('layout shift');
  if (value('total-byte-weight') > most_bytes) missed.push('bytes');
  if (isFast && value('total-blocking-time') > 0) missed.push('blocking time');
  return missed;
}

/**
 * The same with applied throttling.
 * @param {string} address @param {number} port @param {number} latest_ms
 */
async function measureApplied(address, port, latest_ms) {
  for (let attempt = 1; ; attempt++) {
    const { scores, value } = await measure(address, port, { throttlingMethod: 'devtools', onlyCategories: ['performance'] });
    const [performance, paint_ms] = [scores.performance ?? 0, value('largest-contentful-paint')];
    const missed = [performance < goals.performance && 'applied performance', paint_ms > latest_ms && 'applied largest paint'].filter((name) => name !== false);
    if (missed.length === 0 || attempt === tries) return { figures: [performance, `${Math.round(paint_ms)} ms`], missed };
  }
}

/** @param {string} base @param {string} path @param {number} port */
async function check(base, path, port) {
  let measured;
  for (let attempt = 1; attempt <= tries; attempt++) {
    try {
      measured = await measure(base + path, port);
      if (missedBy(measured).length === 0) break;
    } catch (error) {
      if (attempt === tries) throw error;
    }
  }
  if (!measured) throw new Error(`${path} was not measured`);
  const { scores, value, failed } = measured;
  const applied = isFast ? await measureApplied(base + path, port, path === '/' ? latest_paint_ms : Infinity) : { figures: [], missed: [] };
  const missed = [...missedBy(measured), ...applied.missed];
  const figures = [
    ...Object.keys(goals).map((name) => scores[name]),
    `${Math.round(value('first-contentful-paint'))} ms`,
    `${Math.round(value('largest-contentful-paint'))} ms`,
    ...applied.figures,
    `${Math.round(value('total-blocking-time'))} ms`,
    value('cumulative-layout-shift').toFixed(3),
    `${Math.round(value('total-byte-weight') / 1000)} KB`,
  ];
  console.log(`| ${path} | ${figures.join(' | ')} |${missed.length === 0 ? '' : ` MISSED: ${[...missed, ...failed].join(', ')}`}`);
  return missed.length === 0;
}

const base = `http://127.0.0.1:${await freePort()}`;
const server = spawn(program, ['serve', '--demo', '--listen', new URL(base).host], { stdio: 'ignore' });
try {
  await untilReady(base, server);
  const chrome = await launch({
    chromePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    chromeFlags: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  try {
    const applied = isFast ? ' applied: performance | applied: largest paint |' : '';
    console.log(`| page | performance | accessibility | best practices | SEO | first paint | largest paint |${applied} blocked | shift | bytes |`);
    console.log(`|---|${'---|'.repeat(isFast ? 11 : 9)}`);
    for (const path of pages) {
      if (!(await check(base, path, chrome.port))) process.exitCode = 1;
    }
  } finally {
    chrome.kill();
  }
} finally {
  server.kill();
}
