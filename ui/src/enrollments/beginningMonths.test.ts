import { describe, expect, it } from 'vitest';
import { beginningMonths, semestersFrom } from './semesters.ts';

const names = (today: string, latest?: string) => semestersFrom(today, latest).map(({ name, startDate }) => `${name} ${startDate}`);

describe('the semesters of a request', () => {
  it('begin with the next one, never in the middle of one', () => {
    expect(names('2026-11-22')).toEqual(['Winter 2027 2027-02-01', 'Spring 2027 2027-05-03', 'Fall 2027 2027-09-07']);
    expect(names('2026-01-10')[0]).toBe('Winter 2026 2026-02-02');
    expect(names('2026-04-30')[0]).toBe('Spring 2026 2026-05-04');
    expect(names('2026-08-01')[0]).toBe('Fall 2026 2026-09-08');
  });

  it('count one that began in the last two weeks', () => {
    expect(names('2026-09-22')[0]).toBe('Fall 2026 2026-09-08');
    expect(names('2026-09-23')[0]).toBe('Winter 2027 2027-02-01');
  });

  it('end with what the school takes', () => {
    expect(names('2026-11-22', '2027-04-30')).toEqual(['Winter 2027 2027-02-01']);
    expect(names('2026-11-22', '2027-01-31')).toEqual([]);
    expect(names('2026-11-22', '2028-05-22')).toHaveLength(4);
  });

  it('have the usual length', () => {
    expect(semestersFrom('2026-11-22').map(({ endDate }) => endDate)).toEqual(['2027-06-01', '2027-09-03', '2028-01-07']);
  });
});

it('names the months in which an enrollment may begin, a year back and a year ahead', () => {
  const months = beginningMonths('2026-11-22');
  expect(months).toHaveLength(25);
  expect(months[0]).toEqual({ value: '2025-11', label: 'Nov 2025' });
  expect(months.at(-1)).toEqual({ value: '2027-11', label: 'Nov 2027' });
  expect(months.filter(({ label }) => label.includes('·')).map(({ label }) => label)).toEqual([
    'Feb 2026 · Winter', 'May 2026 · Spring', 'Sep 2026 · Fall', 'Feb 2027 · Winter', 'May 2027 · Spring', 'Sep 2027 · Fall',
  ]);
});
