// How the browser tests run: real Chromium (Debian's) against the real binary.
import { defineConfig } from '@playwright/test';

/** Headless shell: windows take a third of the time. */
const browser = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';

/** `THROTTLE` is for finding races, so timeouts are raised. */
const patience = process.env.THROTTLE ? 5 : 1;

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  // Generous timeouts, for tests that hang: a machine of two cores at load 16 takes fifteen times as long.
  timeout: 300_000 * patience,
  expect: { timeout: 60_000 * patience },
  use: {
    browserName: 'chromium',
    // Traces take a third of the processor time: `TRACE=1 make browser`.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    // `watched` takes a screenshot of failures; Playwright would prepare one for every test.
    screenshot: 'off',
    launchOptions: {
      // `PAUSE=200 make browser` waits that many milliseconds after each step, as a starved test does: for finding what
      // only holds while the test is faster than the page.
      slowMo: Number(process.env.PAUSE ?? 0),
      executablePath: browser,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Pages live for a second: optimizing their code does not pay off.
        '--js-flags=--no-opt,--no-maglev',
      ],
    },
  },
});
