import { describe, expect, it } from 'vitest';
import { wordsOf } from '../closedSets.ts';
import { declineReasons, declineSchema, wordsFor } from './decline.ts';

describe('the words of a refusal', () => {
  it('begin with those of the reason that is chosen', () => {
    expect(wordsFor('dates', '')).toBe(declineReasons.dates.text);
    expect(wordsFor('class_full', declineReasons.dates.text)).toBe(declineReasons.class_full.text);
    expect(wordsFor('other', declineReasons.dates.text)).toBe('');
  });

  it('stay when the office has written its own', () => {
    expect(wordsFor('dates', 'Please call us first.')).toBe('Please call us first.');
  });

  it('are enough for the server in every template', () => {
    for (const code of wordsOf(declineReasons).filter((each) => each !== 'other')) {
      expect(declineSchema.safeParse({ code, reason: declineReasons[code].text }).success).toBe(true);
    }
  });

  it.each(['', '   too short   '.slice(0, 12), 'x'.repeat(1001)])('are refused when they are too few or too many: %j', (reason) => {
    expect(declineSchema.safeParse({ code: 'other', reason }).success).toBe(false);
  });
});
