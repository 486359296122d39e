// Sort orders of the office's course table.
import type { CourseRow } from '../api-types.ts';

export const orders = ['grade', 'code', 'name', 'type', 'credits', 'seats', 'price'] as const;
export type Order = (typeof orders)[number];

/** By grade is the server's order. */
export type Sort = { by: Order; isDescending: boolean };

export const byGrade: Sort = { by: 'grade', isDescending: false };

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** The sort value; null comes last in either direction. */
const keys: Record<Order, (course: CourseRow) => string | number | null> = {
  grade: ({ grade }) => grade,
  code: ({ code }) => code,
  name: ({ name }) => name,
  type: ({ courseType }) => courseType,
  credits: ({ credits }) => credits,
  // By free seats, fullest first.
  seats: ({ capacity, seatsTaken }) => (capacity === null ? null : capacity - seatsTaken),
  price: ({ price }) => (price === null ? null : Number(price)),
};

export function sorted(courses: readonly CourseRow[], { by, isDescending }: Sort): CourseRow[] {
  const key = keys[by];
  const rows = courses.map((course) => ({ course, value: key(course) }));
  return rows
    .toSorted((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
      const order = typeof a.value === 'number' && typeof b.value === 'number' ? a.value - b.value : collator.compare(String(a.value), String(b.value));
      return isDescending ? -order : order;
    })
    .map(({ course }) => course);
}

/** `price`, `-price`; anything else is by grade. */
export function readSort(text: string | null): Sort {
  const by = orders.find((order) => order === text?.replace(/^-/, ''));
  return by ? { by, isDescending: text?.startsWith('-') ?? false } : byGrade;
}

/** Empty for the default order. */
export function sortText({ by, isDescending }: Sort): string {
  return by === 'grade' && !isDescending ? '' : `${isDescending ? '-' : ''}${by}`;
}
