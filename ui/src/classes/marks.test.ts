import { describe, expect, it } from 'vitest';
import type { ClassMember } from '../api-types.ts';
import { changedRows, earlyWords, markProblem, parsePaste, rowToSend, withoutSaved } from './marks.ts';

const member = (enrollmentId: number, facts: Partial<ClassMember> = {}): ClassMember => ({
  enrollmentId, studentId: enrollmentId, number: null, studentName: 'A', studentEmail: 'a@b.ca', guardianName: null, guardianContact: null,
  startDate: '2026-09-08', endDate: '2027-01-22', status: 'active', midtermMark: null, finalMark: null, version: 3, ...facts,
});
const done = member(9, { status: 'completed', midtermMark: 60, finalMark: 61 });

describe('what was typed', () => {
  it('is kept where it was not saved, and where it came after what was', () => {
    const sent = { 1: { midterm: '61' }, 2: { final: '50' }, 3: { final: '90' } };
    const now = { 1: { midterm: '61', final: '72' }, 2: { final: '50' }, 3: { final: '95' }, 4: { final: '10' } };
    expect(withoutSaved(now, sent, new Set([1, 2, 3]))).toEqual({ 1: { final: '72' }, 3: { final: '95' }, 4: { final: '10' } });
    expect(withoutSaved(now, sent, new Set())).toEqual(now);
  });

  it.each([['101', false], ['-1', false], ['7.5', false], ['x', false], ['0', true], ['100', true], ['', true], [' 82 ', true]])('%s is right: %s', (final, isRight) => {
    expect(markProblem(member(1), { final }) === null).toBe(isRight);
  });

  it('corrects a final mark only with a reason, and takes none away', () => {
    expect(markProblem(done, { final: '61' })).toBeNull();
    expect(markProblem(done, { final: '64' })).toMatch(/why the mark is corrected/);
    expect(markProblem(done, { final: '64', reason: 'An essay was counted twice.' })).toBeNull();
    expect(markProblem(done, { final: '' })).toMatch(/Reopen/);
  });

  it('is sent where it is another than before; blank is no mark', () => {
    const half = member(2, { midtermMark: 70 });
    const sheet = { 1: { final: '82' }, 2: { midterm: ' ' }, 3: { midterm: '' }, 9: { final: '61' } };
    expect(changedRows([member(1), half, member(3), done], sheet).map(({ enrollmentId }) => enrollmentId)).toEqual([1, 2]);
    expect(rowToSend(member(1), sheet[1])).toEqual({ enrollmentId: 1, version: 3, final: 82 });
    expect(rowToSend(half, sheet[2])).toEqual({ enrollmentId: 2, version: 3, midterm: null });
    expect(rowToSend(done, { final: '64', reason: ' An essay was counted twice. ' })).toEqual({ enrollmentId: 9, version: 3, final: 64, reason: 'An essay was counted twice.' });
  });
});

describe('final marks before the last day', () => {
  const sheet = { 1: { final: '80' }, 2: { final: '70' }, 3: { midterm: '70' }, 9: { final: '64' } };
  const [one, two, three] = [member(1), member(2, { endDate: '2026-11-20' }), member(3)];

  it('are counted among those that were typed, corrections apart', () => {
    expect(earlyWords([one, two, three, done], sheet, '2026-11-21')).toBe('1 of 2 courses runs until Jan 22, 2027');
    expect(earlyWords([one, two, three, done], sheet, '2026-11-19')).toBe('2 of 2 courses run until Jan 22, 2027 at the latest');
    expect(earlyWords([one], sheet, '2026-11-21')).toBe('1 of 1 course runs until Jan 22, 2027');
    expect(earlyWords([one, two, three, done], sheet, '2027-01-22')).toBeNull();
    expect(earlyWords([one, two, three, done], {}, '2026-11-21')).toBeNull();
  });
});

describe('a column from a spreadsheet', () => {
  const members = [member(1), member(2), done, member(4)];

  it('fills downward from the cell, and stops at the end of the class', () => {
    expect(parsePaste({ 1: { final: '1' } }, members, { row: 1, column: 'final' }, '71\r\n82%\r\n90.0\r\n55\r\n')).toEqual({
      1: { final: '1' }, 2: { final: '71' }, 9: { final: '82' }, 4: { final: '90' },
    });
  });

  it('fills both columns, but no midterm mark of a completed course', () => {
    expect(parsePaste({}, members, { row: 1, column: 'midterm' }, '60\t71\n65\t72')).toEqual({ 2: { midterm: '60', final: '71' }, 9: { final: '72' } });
  });

  it('keeps blank lines as no mark, and leaves a single value to its field', () => {
    expect(parsePaste({}, members, { row: 0, column: 'final' }, '71\n\n')).toEqual({ 1: { final: '71' }, 2: { final: '' } });
    expect(parsePaste({}, members, { row: 0, column: 'final' }, '71')).toBeNull();
  });
});
