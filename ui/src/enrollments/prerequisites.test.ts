import { describe, expect, it } from 'vitest';
import { isOpenQuestion, namedPrerequisite, ownPrerequisite, prerequisiteWords, shortPrerequisite } from './prerequisites.ts';

const here = { text: 'ENG3U or ENG3C', state: 'here', reason: 'ENG3U, completed here with 78' } as const;
const byHand = { text: 'Any university course in science', state: 'check_by_hand', reason: null } as const;

describe('a prerequisite in words', () => {
  it('is a word with its reason', () => {
    expect(prerequisiteWords(here)).toBe('ENG3U or ENG3C: here (ENG3U, completed here with 78)');
    expect(prerequisiteWords(byHand)).toBe('“Any university course in science”: check by hand');
  });

  it('is short in a row', () => {
    expect(shortPrerequisite(here)).toBe('ENG3U or ENG3C: here');
    expect(shortPrerequisite(byHand)).toBe('check by hand');
  });

  it('tells the student why', () => {
    expect(ownPrerequisite(here)).toBe('✓ ENG3U, completed here with 78');
    expect(ownPrerequisite({ text: 'ENG3U', state: 'nothing', reason: 'no credit in ENG3U is recorded' })).toBe('no credit in ENG3U is recorded');
    expect(ownPrerequisite(byHand)).toBe('the office checks it');
  });

  it('is an open question where nothing is recorded, and where the text says no codes', () => {
    const states = ['here', 'elsewhere', 'in_progress', 'nothing', 'check_by_hand'] as const;
    expect(states.filter((state) => isOpenQuestion({ text: '', state, reason: null }))).toEqual(['nothing', 'check_by_hand']);
  });

  it('names the courses that are offered', () => {
    const catalogue = [{ code: 'MCR3U', name: 'Functions' }];
    expect(namedPrerequisite('MCR3U or MCT4C', catalogue)).toBe('Functions (MCR3U) or MCT4C');
    expect(namedPrerequisite('Any university course in science', catalogue)).toBe('Any university course in science');
  });
});
