// A text that people agree to has a version. Whoever changes a text adds a version to ui/texts.json, whose
// last one the server writes beside each consent; the date at the top of the page is the version's.
import { createHash } from 'node:crypto';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import texts from '../../texts.json';
import { school } from '../test/data.ts';
import { open } from '../test/render.tsx';

it.each([
  ['/privacy', 'Privacy Policy', texts.privacy],
  ['/terms', 'Terms of Service', texts.terms],
] as const)('%s is the last version of its text', async (address, title, versions) => {
  const { container } = open(address, { school, courses: [] });
  await screen.findByRole('heading', { level: 1, name: title });
  const words = container.querySelector('.prose')?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
  expect(words.length).toBeGreaterThan(1000);
  const last = versions.at(-1);
  const sha256 = createHash('sha256').update(words).digest('hex');
  expect(last?.sha256, `The text of ${address} was changed: add a version to ui/texts.json with ${sha256}`).toBe(sha256);
  const date = new Date(`${last?.version}T12:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'long' });
  expect(screen.getByText(`Last updated ${date}`)).toBeInTheDocument();
});

it('lists versions from the oldest to the newest', () => {
  for (const versions of [texts.privacy, texts.terms]) {
    const dates = versions.map(({ version }) => version);
    expect(dates).toEqual([...new Set(dates)].toSorted());
  }
});
