import { expect, test } from 'vitest';
import type { StudentFile } from '../api-types.ts';
import { openWishes } from './wishes.ts';

const wishes = (applications: object[] | null, codes: string[]) =>
  openWishes({ applications, enrollments: codes.map((code) => ({ course: { code }, status: 'declined' })) } as unknown as StudentFile);

test('a course that was wanted stays a draft until it is requested', () => {
  const [newer, older] = [{ reference: 'A-26-2', wantedCourses: ['ENG4U', 'MHF4U'] }, { reference: 'A-26-1', wantedCourses: ['MHF4U', 'SPH4U'] }];
  expect(wishes([newer, older], ['ENG4U-01'])).toEqual([{ code: 'MHF4U', reference: 'A-26-2' }, { code: 'SPH4U', reference: 'A-26-1' }]);
  expect(wishes(null, [])).toEqual([]);
});
