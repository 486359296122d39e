import { describe, expect, it } from 'vitest';
import type { Enrollment, EnrollmentStatus, Grade } from '../api-types.ts';
import { creditsOf, likelyGrade } from './diploma.ts';

const enrollment = (code: string, status: EnrollmentStatus, credits = 1, earnedCredits: number | null = null) =>
  ({ course: { code, credits, grade: (Number(code.charAt(3)) + 8) as Grade }, status, earnedCredits }) as Enrollment;

describe('credits toward the diploma', () => {
  it('count what was earned and what runs, each course once', () => {
    const all = [
      enrollment('ENG3U', 'completed', 1, 1), enrollment('ENG3U-2', 'completed', 1, 1), enrollment('CHV2O', 'completed', 0.5, 0.5),
      enrollment('MCR3U', 'completed', 1, 0), enrollment('MCR3U', 'active'), enrollment('CHV2O', 'active', 0.5), enrollment('SPH3U', 'pending'),
      enrollment('SCH3U', 'withdrawn'),
    ];
    expect(creditsOf(all)).toEqual({ earned: 1.5, underWay: 1 });
    expect(creditsOf([])).toEqual({ earned: 0, underWay: 0 });
  });
});

describe('the grade that a student looks for', () => {
  it.each<[string | null, Enrollment[], Grade | null]>([
    [null, [], null],
    ['', [], null],
    ['Grade 10', [], 11],
    ['10', [], 11],
    ['8', [], 9],
    ['12', [], 12],
    ['Secondary 4', [], null],
    ['10', [enrollment('ENG4U', 'pending'), enrollment('ENG3U', 'active')], 12],
    ['10', [enrollment('ENG3U', 'completed')], 11],
    [null, [enrollment('ENG3U', 'completed')], 11],
    ['11', [enrollment('ENG3U', 'completed')], 12],
    [null, [enrollment('ENG3U', 'declined')], null],
  ])('after %s and %j', (lastGradeCompleted, enrollments, expected) => {
    expect(likelyGrade({ lastGradeCompleted }, enrollments)).toBe(expected);
  });
});
