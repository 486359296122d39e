// The catalogue's rules: featured courses, grades, filter, prerequisites.
import { describe, expect, it } from 'vitest';
import { course } from '../test/data.ts';
import { featuredCourses, filterCourses, prerequisiteText } from './catalogue.ts';
import { readGrade, skeletonCount } from './grades.ts';

const codes = (courses: { code: string }[]) => courses.map(({ code }) => code);

describe('featured courses', () => {
  const catalogue = [
    course({ code: 'BEM1O', grade: 9 }),
    course({ code: 'ENL1W', grade: 9, isCompulsory: true }),
    course({ code: 'MTH1W', grade: 9, isCompulsory: true }),
    course({ code: 'ADA2O', grade: 10 }),
    course({ code: 'ENG2D', grade: 10, isCompulsory: true }),
    course({ code: 'ENG3U', grade: 11, isCompulsory: true }),
    course({ code: 'ENG4C', grade: 12, isCompulsory: true }),
    course({ code: 'ENG4U', grade: 12 }),
  ];

  it('are the first compulsory one of grades 9 and 10, and ENG4U', () => {
    expect(codes(featuredCourses(catalogue))).toEqual(['ENL1W', 'ENG2D', 'ENG4U']);
  });

  it('leave out what the catalogue does not have', () => {
    expect(codes(featuredCourses(catalogue.filter(({ grade }) => grade !== 10)))).toEqual(['ENL1W', 'ENG4U']);
    expect(featuredCourses([])).toEqual([]);
  });

  it('take ENG4U only from grade 12', () => {
    expect(featuredCourses([course({ code: 'ENG4U', grade: 11 })])).toEqual([]);
  });
});

describe('a grade in an address', () => {
  it.each([['9', 9], ['10', 10], ['11', 11], ['12', 12]])('%s is read', (text, grade) => {
    expect(readGrade(text)).toBe(grade);
  });

  it.each([null, '', '8', '13', '09', '9.0', ' 9', '9x', '-9'])('%j is refused', (text) => {
    expect(readGrade(text)).toBeNull();
  });

  it('asks for 5 placeholders, or 7 in grade 12', () => {
    expect([9, 10, 11].map((grade) => skeletonCount(grade as 9))).toEqual([5, 5, 5]);
    expect(skeletonCount(12)).toBe(7);
  });
});

describe('the filter', () => {
  const catalogue = [
    course({ code: 'CHI4U', grade: 12, name: 'Canada: History, Identity, and Culture' }),
    course({ code: 'NBE3U', grade: 11, name: 'First Nations, Métis, and Inuit Voices' }),
    course({ code: 'CHY4U', grade: 12, name: 'World History since the Fifteenth Century' }),
  ];

  it('finds every word in the name or the code, in any order and case', () => {
    expect(codes(filterCourses(catalogue, 12, 'history'))).toEqual(['CHI4U', 'CHY4U']);
    expect(codes(filterCourses(catalogue, 12, 'WORLD history'))).toEqual(['CHY4U']);
    expect(codes(filterCourses(catalogue, 12, 'chi4'))).toEqual(['CHI4U']);
  });

  it('does not mind accents', () => {
    expect(codes(filterCourses(catalogue, 11, 'metis'))).toEqual(['NBE3U']);
  });

  it('does not mind how an apostrophe is typed, and takes no sign for none', () => {
    const craft = [course({ code: 'EWC4U', grade: 12, name: 'The Writer\'s Craft' })];
    expect(codes(filterCourses(craft, 12, 'writer’s'))).toEqual(['EWC4U']);
    expect(filterCourses(craft, 12, '^')).toEqual([]);
  });

  it('stays within the grade, and an empty one keeps all', () => {
    expect(filterCourses(catalogue, 9, 'history')).toEqual([]);
    expect(codes(filterCourses(catalogue, 12, '  '))).toEqual(['CHI4U', 'CHY4U']);
  });
});

describe('a prerequisite', () => {
  it('is shown as it stands', () => {
    expect(prerequisiteText({ prerequisite: 'MCR3U or MCT4C', description: 'Entry requires it.' })).toBe('MCR3U or MCT4C');
  });

  it('is None when nothing is asked for', () => {
    expect(prerequisiteText({ prerequisite: null, description: 'No earlier music course is needed.' })).toBe('None');
    expect(prerequisiteText({ prerequisite: '', description: 'Reentry requires nothing.' })).toBe('None');
  });

  it.each(['Entry requires one university course.', 'Entry expects 600 hours of French.', 'Entry depends on the rules.'])(
    'points to the description when that says: %s',
    (description) => {
      expect(prerequisiteText({ prerequisite: null, description })).toBe('See description');
    },
  );
});
