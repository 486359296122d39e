// The to-do list on a student's page.
import { expect, it } from 'vitest';
import type { StudentFile } from '../api-types.ts';
import { todoItems } from './OverviewPanel.tsx';

const enrollment = (status: string, endDate: string) => ({ status, endDate, course: { code: 'ENG4U', name: 'English' } });
const document = (documentType: string, isWithOffice: boolean) => ({ kind: 'document', documentType, isWithOffice });
const waits = (enrollments: object[], today: string, wanted: object[] | null = null) =>
  todoItems({ enrollments, wanted } as unknown as StudentFile, today).map(({ text }) => text);

it('asks for a mark once the last day of a course is over at the school', () => {
  const running = enrollment('active', '2026-11-22');
  expect(waits([running], '2026-11-22')).toEqual([]);
  expect(waits([running, enrollment('completed', '2026-11-22')], '2026-11-23')).toEqual(['Enter the mark of ENG4U']);
});

it('names the courses to be decided about first', () => {
  const both = [enrollment('active', '2026-01-01'), enrollment('pending', '2027-06-01')];
  expect(waits(both, '2026-11-23')).toEqual(['Decide about ENG4U, English', 'Enter the mark of ENG4U']);
});

it('names documents to review and documents that are missing', () => {
  expect(waits([], '2026-11-23', [document('transcript', true), document('government_id', false)])).toEqual(['School Transcript: to review', 'Government ID: missing']);
});
