// Measures every public page of the demo with Lighthouse on a simulated phone, and prints the table.
//
// Fails below 100 for accessibility, best practices or search engines, or where the page moves while it loads. The
// figures of speed are this machine's, and count with `--fast` alone: on an idle machine, of a release.
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
/** A speed is that of the best of so many: what else the machine does only makes it slower. */
const tries = 3;

const [program = '', ...flags] = process.argv.slice(2);
const isFast = flags.includes('--fast');
const most = isFast ? tries : 1;

/** @returns {Promise<number>} A port that nobody listens on. */
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

/** @param {string} address @param {number} port */
async function measure(address, port) {
  const result = await lighthouse(address, { port, logLevel: 'error', output: 'json' });
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

/** @param {string} base @param {string} path @param {number} port */
async function check(base, path, port) {
  let best = await measure(base + path, port);
  for (let more = 1; more < most && (best.scores.performance ?? 0) < goals.performance; more++) {
    const next = await measure(base + path, port);
    if ((next.scores.performance ?? 0) > (best.scores.performance ?? 0)) best = next;
  }
  const { scores, value, failed } = best;
  const shift = value('cumulative-layout-shift');
  const missed = Object.entries(goals).filter(([name, goal]) => (isFast || name !== 'performance') && (scores[name] ?? 0) < goal);
  const isSound = missed.length === 0 && shift <= most_shift;
  const figures = [
    ...Object.keys(goals).map((name) => scores[name]),
    `${Math.round(value('first-contentful-paint'))} ms`,
    `${Math.round(value('largest-contentful-paint'))} ms`,
    `${Math.round(value('total-blocking-time'))} ms`,
    shift.toFixed(3),
    `${Math.round(value('total-byte-weight') / 1000)} KB`,
  ];
  console.log(`| ${path} | ${figures.join(' | ')} |${isSound ? '' : ` MISSED: ${[...missed.map(([name]) => name), ...failed].join(', ')}`}`);
  return isSound;
}

const base = `http://127.0.0.1:${await freePort()}`;
const server = spawn(program, ['serve', '--demo', '--listen', new URL(base).host], { stdio: 'ignore' });
try {
  await untilReady(base, server);
  const chrome = await launch({
    chromePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  try {
    console.log('| page | performance | accessibility | best practices | SEO | first paint | largest paint | blocked | shift | bytes |');
    console.log(`|---|${'---|'.repeat(9)}`);
    for (const path of pages) {
      if (!(await check(base, path, chrome.port))) process.exitCode = 1;
    }
  } finally {
    chrome.kill();
  }
} finally {
  server.kill();
}
