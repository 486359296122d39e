import { describe, expect, it } from 'vitest';
import { course } from '../test/data.ts';
import { gradeInView, filterAvailable } from './available.ts';
import { allCourses } from './useAvailableView.ts';

const catalogue = [
  course({ code: 'ENG4U', grade: 12, courseType: 'University' }), course({ code: 'ENG4C', grade: 12, courseType: 'College' }),
  course({ code: 'MHF4U', subject: 'Mathematics', grade: 12, courseType: 'University' }), course({ code: 'ENL1W', grade: 9, courseType: 'Open' }),
];
const codes = (view: Partial<typeof allCourses>, grade: 9 | 12 | null = null) =>
  filterAvailable(catalogue, { ...allCourses, ...view }, grade).groups.map((group) => `${group.grade}: ${group.subjects.map(({ subject, courses }) => `${subject} ${courses.map(({ code }) => code).join(' ')}`).join(', ')}`);

describe('the courses on offer', () => {
  it('stand by grade and subject', () => {
    expect(codes({})).toEqual(['9: English ENL1W', '12: English ENG4U ENG4C, Mathematics MHF4U']);
    expect(codes({}, 12)).toEqual(['12: English ENG4U ENG4C, Mathematics MHF4U']);
    expect(codes({ subject: 'English', level: 'University' })).toEqual(['12: English ENG4U']);
    expect(codes({ q: 'mhf' })).toEqual(['12: Mathematics MHF4U']);
  });

  it('say what they can be narrowed to', () => {
    const { subjects, levels } = filterAvailable(catalogue, { ...allCourses, level: 'University' }, 12);
    expect(subjects.map(({ subject, count }) => [subject, count])).toEqual([['English', 1], ['Mathematics', 1]]);
    expect(levels.map(({ level, count }) => [level, count])).toEqual([['University', 2], ['College', 1]]);
  });

  it('are those of the likely grade until a grade is selected or searched', () => {
    const view = { ...allCourses, grade: undefined };
    expect([gradeInView(view, 11), gradeInView(view, null), gradeInView({ ...view, q: 'x' }, 11), gradeInView(allCourses, 11), gradeInView({ ...view, grade: 9, q: 'x' }, 11)])
      .toEqual([11, null, null, null, 9]);
  });
});
