// How the browser tests run: real Chromium (Debian's) against the real binary.
import { defineConfig } from '@playwright/test';

/** Chromium without the windows around its pages, which take a third of the time. */
const browser = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';

/** `THROTTLE` looks for races: what runs out of time is none. */
const patience = process.env.THROTTLE ? 5 : 1;

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list']],
  // A limit is for what hangs: a machine of two cores at load 16 takes fifteen times as long.
  timeout: 300_000 * patience,
  expect: { timeout: 60_000 * patience },
  use: {
    browserName: 'chromium',
    // A trace records every test, and takes a third of the processor's time: `TRACE=1 make browser`.
    trace: process.env.TRACE ? 'retain-on-failure' : 'off',
    // `watched` takes one of what failed; Playwright's way takes one of every test before it knows.
    screenshot: 'off',
    launchOptions: {
      executablePath: browser,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Pages that live for a second never earn back what it costs to compile them well.
        '--js-flags=--no-opt,--no-maglev',
      ],
    },
  },
});
