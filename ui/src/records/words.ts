// What the office reads about a student: each part of the history, of an enrollment's events and of what is
// wanted, in words.
import type { GuardianHow, HistoryEntry, RecordedEvent, StudentFile, StudentRow } from '../api-types.ts';

export function nameOf({ id, fullName }: Pick<StudentRow, 'id'> & { fullName?: string | null }): string {
  return fullName || `Student #${id}`;
}

export const guardianWays = {
  link: 'on the family page',
  phone: 'on the phone',
  paper: 'with a signature',
  in_person: 'at the office',
  email: 'by email',
} satisfies Record<GuardianHow, string>;

/** Whether a confirmation that the school asks for is missing, whatever earlier requests have. */
export const lacksConfirmation = ({ flags }: Pick<StudentFile, 'flags'>) => flags.includes('guardian_not_confirmed');

/** "16, guardian: Chidi ✓" */
export function ageWords({ student, guardians, flags }: Pick<StudentFile, 'student' | 'guardians' | 'flags'>): string | null {
  if (student.age === null) return null;
  if (student.age >= 18) return String(student.age);
  const guardian = guardians.find(({ confirmed }) => confirmed) ?? guardians[0];
  const isMissing = lacksConfirmation({ flags });
  if (!guardian) return `${student.age}, no guardian named${student.guardianConfirmed && !isMissing ? ' ✓' : ''}`;
  return `${student.age}, guardian: ${guardian.name}${guardian.confirmed && !isMissing ? ' ✓' : ', not confirmed'}`;
}

/** Who did it: "the student", or the username of the staff member. */
export function actorText({ actorKind, by }: Pick<HistoryEntry, 'actorKind' | 'by'>): string {
  return by ?? { student: 'the student', staff: 'the office', guardian: 'a guardian', system: 'the server' }[actorKind];
}

const verbs = {
  request: 'Requested',
  enroll: 'Enrolled by the office',
  approve: 'Approved',
  decline: 'Declined',
  waitlist: 'Put on the waiting list',
  offer_place: 'A place was offered',
  accept_place: 'The place was taken',
  decline_place: 'The place was declined',
  lapse: 'The offered place expired',
  withdraw: 'Withdrawn',
  ask_to_leave: 'Asked to leave the course',
  stay: 'Stays in the course',
  refuse_leave: 'Asked to stay',
  midterm: 'Midterm mark',
  complete: 'Completed',
  correct_mark: 'Mark corrected',
  reopen: 'Reopened',
  reverse_approval: 'Approval reversed',
  change_dates: 'Dates changed',
  cancel: 'Cancelled with its section',
  transfer: 'Transferred',
  undo: 'Undone',
} satisfies Record<NonNullable<RecordedEvent['verb']>, string>;

/** An event of an enrollment: "Completed, 87 %", "Approved without: documents". */
export function eventWords({ verb, mark, to, missing }: Pick<RecordedEvent, 'verb' | 'mark' | 'to' | 'missing'>): string {
  const words = verb ? verbs[verb] : `Became ${to}`;
  if (missing && missing.length > 0) return `${words} without: ${missing.join(', ')}`;
  return mark === null ? words : `${words}, ${mark} %`;
}
