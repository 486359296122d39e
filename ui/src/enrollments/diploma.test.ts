import { describe, expect, it } from 'vitest';
import type { Enrollment, EnrollmentStatus, Grade } from '../api-types.ts';
import { likelyGrade } from './diploma.ts';

const enrollment = (code: string, status: EnrollmentStatus, credits = 1, earnedCredits: number | null = null) =>
  ({ course: { code, credits, grade: (Number(code.charAt(3)) + 8) as Grade }, status, earnedCredits }) as Enrollment;

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
