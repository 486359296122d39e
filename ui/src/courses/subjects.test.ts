import { expect, it } from 'vitest';
import { course } from '../test/data.ts';
import { anchorOf, bySubject, readSubject } from './subjects.ts';

it('groups courses in the order of the subjects', () => {
  const courses = [
    course({ code: 'AVI4M', grade: 12, subject: 'The Arts' }),
    course({ code: 'MHF4U', grade: 12, subject: 'Mathematics' }),
    course({ code: 'ROBOTS', grade: 12, subject: 'Other Courses' }),
    course({ code: 'MCV4U', grade: 12, subject: 'Mathematics' }),
  ];
  const groups = bySubject(courses).map(({ subject, courses: some }) => `${subject}: ${some.map(({ code }) => code).join(' ')}`);
  expect(groups).toEqual(['Mathematics: MHF4U MCV4U', 'The Arts: AVI4M', 'Other Courses: ROBOTS']);
});

it('reads a subject from an address', () => {
  expect(['The Arts', 'arts', '', null].map(readSubject)).toEqual(['The Arts', null, null, null]);
});

it('has an anchor for each subject', () => {
  expect(anchorOf('First Nations, Métis and Inuit Studies')).toBe('first-nations-m-tis-and-inuit-studies');
});
