import { describe, expect, it } from 'vitest';
import { creditsLine } from './credits.ts';

describe('credits toward the diploma', () => {
  it.each([
    [0, 0, 0, '0 of 30 credits earned here'],
    [12, 0, 2, '12 of 30 credits earned here, 2 under way'],
    [12, 6.5, 0, '18.5 of 30 credits: 12 earned here + 6.5 recorded elsewhere'],
    [0, 8, 0.5, '8 of 30 credits: 0 earned here + 8 recorded elsewhere, 0.5 under way'],
  ])('%d here, %d elsewhere, %d under way', (here, elsewhere, underWay, words) => {
    expect(creditsLine({ here, elsewhere, underWay })).toBe(words);
  });
});
