// Links of telephone numbers, by the cases that the server reads, too.
import { expect, it } from 'vitest';
import cases from './telephone.cases.json';
import { telephoneLink } from './telephone.ts';

it.each(cases)('links $number', ({ number, link }) => {
  expect(telephoneLink(number)).toBe(link);
});
