import { describe, expect, it } from 'vitest';
import type { Enrollment, EnrollmentStatus } from '../api-types.ts';
import { prerequisiteParts } from './prerequisites.ts';

const catalogue = [{ code: 'MCR3U', name: 'Functions' }];
const had = (code: string, status: EnrollmentStatus, finalMark: number | null = null) => ({ course: { code }, status, finalMark }) as Enrollment;
const parts = (prerequisite: string | null, ...enrollments: Enrollment[]) => prerequisiteParts({ prerequisite, description: '' }, catalogue, enrollments);

describe('a prerequisite in words', () => {
  it('names the course, and what the student has', () => {
    expect(parts('MCR3U')).toMatchObject([{ code: 'MCR3U', name: 'Functions', state: 'missing' }]);
    expect(parts('MCR3U or MCT4C', had('MCT4C', 'active'))).toMatchObject([
      { code: 'MCR3U', name: 'Functions', state: 'missing' }, { text: ' or ' }, { code: 'MCT4C', name: null, state: 'running' },
    ]);
  });

  it.each([
    ['completed', 80, 'done'], ['completed', null, 'done'], ['completed', 49, 'missing'], ['active', null, 'running'],
    ['pending', null, 'requested'], ['waitlisted', null, 'requested'], ['declined', null, 'missing'], ['withdrawn', 61, 'missing'],
  ] as const)('%s with %s is %s', (status, mark, state) => {
    expect(parts('MCR3U', had('MCR3U', status, mark))).toMatchObject([{ code: 'MCR3U', name: 'Functions', state }]);
  });

  it('takes the best of several, under any row of the catalogue', () => {
    expect(parts('MCR3U', had('MCR3U-2', 'completed', 70), had('MCR3U', 'declined'))).toMatchObject([{ state: 'done' }]);
  });

  it('leaves a sentence as it stands', () => {
    expect(parts(null)).toMatchObject([{ text: 'None' }]);
    expect(parts('Any university course in science')).toMatchObject([{ text: 'Any university course in science' }]);
  });
});
