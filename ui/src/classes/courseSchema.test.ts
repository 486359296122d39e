// Section 5's rules of the course form, and what is sent.
import { describe, expect, test } from 'vitest';
import { courseRow } from '../test/data.ts';
import { changesOf, courseSchema, inputOf, valuesOf } from './courseSchema.ts';

const good = { ...valuesOf(null), code: 'ENG4U', name: 'English', description: 'Reading and writing.' };

function problems(change: Partial<typeof good>) {
  const { error } = courseSchema.safeParse({ ...good, ...change });
  return error?.issues.map(({ path, message }) => [path[0], message]) ?? [];
}

describe('courseSchema', () => {
  test('opens with the defaults of section 2', () => {
    expect(valuesOf(null)).toEqual({
      code: '', grade: '9', courseType: 'Academic', name: '', description: '', prerequisite: '', price: '', credits: '1', capacity: '',
      isCompulsory: false, isOpen: true,
    });
    expect(problems({})).toEqual([]);
  });

  test.each([
    ['code', 'E', 'Course code must be at least 2 characters'],
    ['code', ' E ', 'Course code must be at least 2 characters'],
    ['code', 'ABCDEFGHIJK', 'Course code must be less than 10 characters'],
    ['name', ' E  ', 'Course name must be at least 3 characters'],
    ['description', '  123456789 ', 'Description must be at least 10 characters'],
    ['courseType', '', 'Course type is required'],
    ['price', '-0.01', 'Price cannot be negative'],
    ['price', '-$5', 'Price cannot be negative'],
    ['price', 'free', 'Price must be a number'],
    ['price', '$', 'Price must be a number'],
    ['price', '12,50', 'Price must be a number'],
    ['price', '1$50', 'Price must be a number'],
    ['price', '5 0', 'Price must be a number'],
    ['price', '1.005', 'Price must have at most two decimals'],
    ['price', '1.200', 'Price must have at most two decimals'],
    ['price', '100000000', 'Price must be at most $99,999,999.99'],
    ['credits', '', 'Credits must be more than 0 and at most 4, with at most two decimals'],
    ['credits', '0', 'Credits must be more than 0 and at most 4, with at most two decimals'],
    ['credits', '4.01', 'Credits must be more than 0 and at most 4, with at most two decimals'],
    ['credits', '0.125', 'Credits must be more than 0 and at most 4, with at most two decimals'],
    ['credits', '1e0', 'Credits must be more than 0 and at most 4, with at most two decimals'],
  ])('%s %j: %s', (field, value, message) => {
    expect(problems({ [field]: value })).toEqual([[field, message]]);
  });

  test.each(['0', '10001', '2.5', '-1', 'x'])('%s are no seats', (capacity) => {
    expect(problems({ capacity })).toEqual([['capacity', 'Seats must be a whole number from 1 to 10,000, or empty for no limit']]);
  });

  test.each([['capacity', '1'], ['capacity', ' 10000 '], ['code', 'AB'], ['code', 'ABCDEFGHIJ'], ['name', 'Art'], ['description', '1234567890'], ['credits', '.5'], ['credits', '4']])(
    '%s %j is right at the edge of its rule',
    (field, value) => {
      expect(problems({ [field]: value })).toEqual([]);
    },
  );

  test.each([
    ['', null], ['  ', null], ['0', 0], ['550', 550], ['$550', 550], ['550 $', 550], ['CAD 550', 550], ['CA$550.5', 550.5],
    ['1,250.50', 1250.5], ['1 250.50', 1250.5], ['$1,234,567.89', 1_234_567.89], ['.05', 0.05], ['5.', 5],
    ['-0', -0], ['99999999.99', 99_999_999.99],
  ])('a price of %j is sent as %j', (price, sent) => {
    expect(problems({ price })).toEqual([]);
    expect(inputOf({ ...good, price }).price).toBe(sent);
  });

  test('what is empty is sent as null, and numbers as numbers', () => {
    expect(inputOf({ ...good, grade: '12', credits: '.5' })).toEqual({
      code: 'ENG4U', name: 'English', description: 'Reading and writing.', grade: 12, courseType: 'Academic',
      isCompulsory: false, isOpen: true, prerequisite: null, price: null, credits: 0.5, capacity: null,
    });
  });

  test('a new course begins in the grade that is shown', () => {
    expect(valuesOf(null, 12).grade).toBe('12');
    expect(valuesOf(courseRow({ code: 'ENG2D', grade: 10 }), 12).grade).toBe('10');
  });

  test('only what was changed is sent', () => {
    const eng = courseRow({ code: 'ENG4U', grade: 12, prerequisite: 'ENG3U', price: 549 });
    const values = valuesOf(eng);
    expect(changesOf(eng, values)).toEqual({});
    expect(changesOf(eng, { ...values, price: '$549.0', prerequisite: '' })).toEqual({ prerequisite: null });
    expect(changesOf(eng, { ...values, grade: '11', isCompulsory: !eng.isCompulsory })).toEqual({
      grade: 11, isCompulsory: !eng.isCompulsory,
    });
    expect(changesOf(eng, { ...values, price: '' })).toEqual({ price: null });
    expect(changesOf(eng, { ...values, capacity: ' 25 ', isOpen: false })).toEqual({ capacity: 25, isOpen: false });
  });

  test('a course fills the form, whichever way its price arrives', () => {
    const eng = courseRow({ code: 'ENG4U', grade: 12, prerequisite: 'ENG3U', credits: 0.5, isCompulsory: true });
    expect(valuesOf(eng)).toMatchObject({ code: 'ENG4U', grade: '12', prerequisite: 'ENG3U', price: '549.00', credits: '0.5', isCompulsory: true });
    expect(valuesOf({ ...eng, price: '549.5' as never }).price).toBe('549.50');
    expect(valuesOf({ ...eng, price: 0 }).price).toBe('0.00');
    expect(valuesOf({ ...eng, price: null }).price).toBe('');
  });
});
