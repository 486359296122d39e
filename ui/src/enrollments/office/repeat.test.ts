import { expect, it } from 'vitest';
import { repeatText, shortRepeat } from './repeat.ts';

it.each([
  [{ repeat: null, repeatedMark: null }, null, null],
  [{ repeat: 'failed' as const, repeatedMark: 41 }, 'Repeat, had 41%', 'after a failure; had 41%'],
  [{ repeat: 'upgrade' as const, repeatedMark: 62 }, 'Repeat, had 62%', 'for a better mark, which an approval confirms; had 62%'],
  [{ repeat: 'upgrade' as const, repeatedMark: null }, 'Repeat, completed before', 'for a better mark, which an approval confirms; completed before'],
])('says what %o is', (row, short, full) => {
  expect([shortRepeat(row), repeatText(row)]).toEqual([short, full]);
});
