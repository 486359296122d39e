// Hints about course codes.
import { describe, expect, test } from 'vitest';
import { codeHints } from './courseCode.ts';

describe('codeHints', () => {
  test.each([
    ['MCR3U', '11', 'University'],
    ['mcr 3u', '11', 'University'],
    ['ENL1W', '9', 'Open'],
    ['CHV2O', '10', 'Open'],
    ['SPH4C', '12', 'College'],
    ['MBF3M-1', '11', 'University/College'],
    ['ENG1P', '9', 'Applied'],
    ['ENG4E', '12', 'Workplace'],
    ['ENG2D', '10', 'Academic'],
    // Locally developed: the form has no such type.
    ['MAT1L', '9', 'Open'],
    // A language level, which implies no grade.
    ['ESLAO', '9', 'Open'],
    ['ESLAO', '12', 'Open'],
    // The type is missing: another rule reports that.
    ['MCR3U', '11', ''],
    // Still being typed.
    ['', '9', 'Academic'],
    ['MCR3', '9', 'Academic'],
  ])('%s in grade %s as %s agrees', (code, grade, courseType) => {
    expect(codeHints({ code, grade, courseType })).toEqual([]);
  });

  test.each([
    ['MCR3U', '12', 'University', ['The code says grade 11, the form says 12.']],
    ['MCR3U', '11', 'College', ['The code says University, the form says College.']],
    ['ENG4U', '9', 'Academic', ['The code says grade 12, the form says 9.', 'The code says University, the form says Academic.']],
    ['ESLAO', '12', 'Academic', ['The code says Open, the form says Academic.']],
    ['CHESS-CLUB', '9', 'Open', ['Ontario course codes look like ENG4U. You can still save this one.']],
    ['ENG5U', '12', 'University', ['Ontario course codes look like ENG4U. You can still save this one.']],
  ])('%s in grade %s as %s hints', (code, grade, courseType, hints) => {
    expect(codeHints({ code, grade, courseType })).toEqual(hints);
  });
});
