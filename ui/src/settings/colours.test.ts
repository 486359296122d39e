import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { brass, luminance, navy, paletteOf, withHueOf } from './colours.ts';

const tokens = readFileSync('src/styles/tokens.css', 'utf8');

it('without a choice the interface keeps its colours', () => {
  const palette = paletteOf(tokens, null, null);
  expect(palette['--navy']).toBe(navy);
  expect(palette['--ink']).toBe('light-dark(#0f2147, #f5f0e4)');
  expect(paletteOf(tokens, 'navy', '#12')).toEqual(palette);
});

it.each(['#7a0019', '#005f3b', '#000000', '#ffffff', '#ffd100', '#0033ff'])('%s costs no contrast', (chosen) => {
  for (const [own, family] of [[navy, navy], ['#15306a', navy], [brass, brass], ['#7a5711', brass]] as const) {
    expect(Math.abs(luminance(withHueOf(own, family, chosen)) - luminance(own))).toBeLessThan(0.004);
  }
});

it('each colour turns its own family, and what means something keeps its colour', () => {
  const [before, after] = [paletteOf(tokens, null, null), paletteOf(tokens, '#7a0019', null)];
  expect(after['--navy']).not.toBe(before['--navy']);
  for (const name of ['--brass', '--danger', '--green', '--blue']) expect(after[name]).toBe(before[name]);
  expect(paletteOf(tokens, null, '#1d7a6b')['--brass']).not.toBe(before['--brass']);
});
