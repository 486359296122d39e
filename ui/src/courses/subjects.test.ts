import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bySubject, readSubject, subjectOf } from './subjects.ts';

describe('the subject of a code', () => {
  it.each([
    ['ENG4U', 'English'], ['ESLAO', 'English as a Second Language'], ['MHF4U', 'Mathematics'], ['NBE3U', 'First Nations, Métis and Inuit Studies'],
    ['CHV2O', 'Canadian and World Studies'], ['LKBCU', 'Languages'], ['OLC4O', 'English'], ['ROBOTS', 'Other Courses'], ['M1', 'Other Courses'], ['XYZ1O', 'Other Courses'],
  ])('%s: %s', (code, name) => {
    expect(subjectOf({ code }).name).toBe(name);
  });

  it('is known of every course of the sample catalogue', () => {
    const codes = readFileSync('../examples/ontario-courses.csv', 'utf8').split('\n').slice(1).flatMap((line) => /^([A-Z0-9]{5,6}),/.exec(line)?.[1] ?? []);
    expect(codes).toHaveLength(158);
    const groups = bySubject(codes.map((code) => ({ code })));
    expect(groups.map(({ subject }) => subject.key)).not.toContain('other');
    expect(groups.reduce((sum, { courses }) => sum + courses.length, 0)).toBe(158);
  });

  it('is read from an address', () => {
    expect(['arts', 'other', 'ART', null].map(readSubject)).toEqual(['arts', 'other', null, null]);
  });
});
