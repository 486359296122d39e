// Every state of the account screens, sound in every look.
import type { Page } from '@playwright/test';
import { expectSoundInEveryLook } from '../looks.ts';
import { expect, type School, test } from '../school.ts';
import {
  button,
  fillLogin,
  fillNewPassword,
  fillRegistration,
  field,
  heading,
  newEmail,
  openRegistration,
  password,
  registerAccount,
} from './account.ts';

const summary = (page: Page) => page.getByText('There is a problem');

const states: Record<string, (page: Page, school: School) => Promise<void>> = {
  'login, after the verification': async (page) => {
    await page.goto('/student/auth?verified=true');
    await expect(page.getByText('verified successfully')).toBeVisible();
  },
  'login, with errors': async (page) => {
    await button(page, 'Login').click();
    await expect(summary(page)).toBeVisible();
  },
  'login, not verified': async (page, school) => {
    await fillLogin(page, await registerAccount(page, school));
    await button(page, 'Login').click();
    await button(page, 'Send a New Link').click();
    await expect(page.getByText('a new link is on its way')).toBeVisible();
  },
  'registration, with errors': async (page) => {
    await openRegistration(page);
    await button(page, 'Register').click();
    await expect(summary(page)).toBeVisible();
  },
  'registration, sent': async (page) => {
    await fillRegistration(page, newEmail('wilhelmina.featherstonehaugh.of.the.second.floor'));
    await button(page, 'Register').click();
    await expect(heading(page, 'Check Your Inbox')).toBeVisible();
  },
  'forgotten password, with errors': async (page) => {
    await page.goto('/student/forgot-password');
    await button(page, 'Send the Link').click();
    await expect(summary(page)).toBeVisible();
  },
  'forgotten password, sent': async (page) => {
    await field(page, 'Email').fill(newEmail());
    await button(page, 'Send the Link').click();
    await expect(heading(page, 'Check Your Inbox')).toBeVisible();
  },
  'new password, with errors': async (page) => {
    await page.goto('/student/reset-password/a-token');
    await button(page, 'Change My Password').click();
    await expect(summary(page)).toBeVisible();
  },
  'new password, expired': async (page) => {
    await fillNewPassword(page, password);
    await button(page, 'Change My Password').click();
    await expect(heading(page, 'This Link No Longer Works')).toBeVisible();
  },
  'new password, changed': async (page) => {
    await page.route('**/api/students/reset-password', (route) => route.fulfill({ json: { message: 'ok' } }));
    await page.goto('/student/reset-password/a-token');
    await fillNewPassword(page, password);
    await button(page, 'Change My Password').click();
    await expect(heading(page, 'Your Password Was Changed')).toBeVisible();
  },
  'first password, with errors': async (page) => {
    // The previous state's route is still active.
    await page.unrouteAll();
    await page.goto('/student/choose-password/a-token');
    await button(page, 'Save My Password').click();
    await expect(summary(page)).toBeVisible();
  },
  'first password, expired': async (page) => {
    await field(page, 'Password').fill(password);
    await field(page, 'Confirm Password').fill(password);
    await button(page, 'Save My Password').click();
    await expect(heading(page, 'This Link No Longer Works')).toBeVisible();
  },
  'link, not me': async (page) => {
    await page.goto('/student/not-me/a-token');
    await expect(button(page, 'Remove the Account')).toBeVisible();
  },
  'link, that fails': async (page) => {
    await page.route('**/api/students/not-me', (route) => route.abort());
    await button(page, 'Remove the Account').click();
    await expect(page.getByRole('status').filter({ hasText: /./ })).toBeVisible();
    await page.unrouteAll();
  },
  'link, expired': async (page) => {
    await button(page, 'Remove the Account').click();
    await expect(heading(page, 'This Link No Longer Works')).toBeVisible();
  },
  'link, undo': async (page) => {
    await page.goto('/student/undo-email-change/a-token');
    await expect(button(page, 'Undo the Change')).toBeVisible();
  },
  'link, undone': async (page) => {
    await page.route('**/api/students/undo-email-change', (route) => route.fulfill({ json: { message: 'Your old email address is back.' } }));
    await button(page, 'Undo the Change').click();
    await expect(heading(page, 'Your Old Address Is Back')).toBeVisible();
  },
  'verification, failed': async (page) => {
    await page.goto('/student/verify/not-a-link');
    await button(page, 'Send a New Link').click();
    await expect(summary(page)).toBeVisible();
  },
  'verification, new link sent': async (page) => {
    await field(page, 'Email').fill(newEmail());
    await button(page, 'Send a New Link').click();
    await expect(page.getByText('a new link is on its way')).toBeVisible();
  },
  'verification, loading': async (page) => {
    await page.route('**/api/students/verify/*', () => {});
    await page.goto('/student/verify/a-token');
    await expect(page.getByText('Verifying your email address...')).toBeVisible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
  'verification, succeeded': async (page) => {
    await page.route('**/api/students/verify/*', (route) => route.fulfill({ json: { message: 'ok' } }));
    // Otherwise the redirect would come before the check.
    await page.addInitScript(() => {
      const { setTimeout } = window;
      window.setTimeout = ((act: () => void, time_ms = 0) => (time_ms === 2000 ? 0 : setTimeout(act, time_ms))) as typeof setTimeout;
    });
    await page.goto('/student/verify/another-token');
    await expect(heading(page, 'Email Verified')).toBeVisible();
  },
};

const screens = ['login', 'registration', 'forgotten password', 'new password', 'first password', 'link', 'verification'];

for (const screen of screens) {
  test(`${screen}: every state is sound in every look`, async ({ page, school }) => {
    // Up to sixteen analyses.
    test.slow();
    for (const [name, bring] of Object.entries(states).filter(([name]) => name.startsWith(`${screen}, `))) {
      await bring(page, school);
      await test.step(name, () => expectSoundInEveryLook(page));
    }
  });
}

test('nothing overflows the narrowest screen', async ({ page, school }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const [name, bring] of Object.entries(states)) {
    await test.step(name, async () => {
      await bring(page, school);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    });
  }
});
