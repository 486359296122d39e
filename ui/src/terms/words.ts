// Words about sections for the office.
import { failureWords, isSignedOut } from '../api.ts';
import type { OfficeSection, SectionStatus } from '../api-types.ts';
import { showFailure } from '../components/toasts.ts';
import { weekdays } from '../meetings.ts';

export const sectionStatuses = { planned: 'Planned', open: 'Open', closed: 'Closed', cancelled: 'Cancelled' } satisfies Record<SectionStatus, string>;

/** "MHF4U A". */
export const nameOf = ({ courseCode, label }: Pick<OfficeSection, 'courseCode' | 'label'>) => `${courseCode} ${label}`;

/** "12/25", or "12" without a limit. */
export const seatsText = ({ taken, capacity }: Pick<OfficeSection, 'taken' | 'capacity'>) => (capacity === null ? String(taken) : `${taken}/${capacity}`);

/** "the student", "25 students". */
export const studentsText = (count: number) => (count === 1 ? '1 student' : `${count} students`);

/** "SBI4U B, Tue 19:00". */
export const clashText = ({ weekday, startsAt, ...other }: OfficeSection['clashes'][number]) => `${nameOf(other)}, ${weekdays[weekday - 1] ?? ''} ${startsAt}`;

export function tellFailure(error: Error) {
  if (!isSignedOut(error)) showFailure('Nothing was changed', failureWords(error, 'It could not be saved. Please try again.'));
}

/** ", with 2 copies to guardians". */
export function emailsText(emails: number, told: number): string {
  const copies = emails - told;
  if (copies <= 0) return '';
  return `, with ${copies === 1 ? 'a copy to a guardian' : `${copies} copies to guardians`}`;
}
