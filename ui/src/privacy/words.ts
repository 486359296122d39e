// Labels of privacy requests, retention rules and breaches.
import type {
  AskedBy, PrivacyRequestKind, PrivacyRequestStatus, RetentionAction, RetentionClass, RetentionRule, RetentionSince, Risk,
} from '../api-types.ts';
import type { Tone } from '../closedSets.ts';

export const requestKinds = {
  access: 'See what is held',
  correction: 'Correction',
  deletion: 'Close and delete',
  consent_withdrawal: 'Withdraw consent',
} satisfies Record<PrivacyRequestKind, string>;

export const askers = { student: 'Student', guardian: 'Parent or guardian' } satisfies Record<AskedBy, string>;

export const requestTones = { open: 'yellow', withdrawn: 'plain', granted: 'green', refused: 'red' } satisfies Record<PrivacyRequestStatus, Tone>;

export const retentionClasses = {
  marks: 'Marks and credits',
  ledger: 'Charges and payments',
  documents: 'Students’ documents',
  profile: 'Profiles and notes',
  messages: 'Visitors’ messages',
  admission_requests: 'Admission requests',
  breaches: 'Breach book',
} satisfies Record<RetentionClass, string>;

const since = { left_on: 'after a student left', received_on: 'after it was received' } satisfies Record<RetentionSince, string>;

export const retentionActions = {
  keep: 'Kept',
  delete_file: 'Deleted with their files',
  blank: 'Cleared',
  delete: 'Deleted',
} satisfies Record<RetentionAction, string>;

export const risks = { not_assessed: 'Not assessed', low: 'Low', significant: 'Significant' } satisfies Record<Risk, string>;
export const riskTones = { not_assessed: 'yellow', low: 'green', significant: 'red' } satisfies Record<Risk, Tone>;

/** "5 years after a student left". */
export function periodText({ years, since: from }: RetentionRule): string {
  if (years === null) return 'Permanently';
  return `${years === 1 ? '1 year' : `${years} years`} ${since[from]}`;
}

/** "12 days left", or how many days overdue. */
export function daysText(days: number): string {
  if (days < 0) return days === -1 ? '1 day overdue' : `${-days} days overdue`;
  if (days === 0) return 'due today';
  return days === 1 ? '1 day left' : `${days} days left`;
}

export function daysTone(days: number): Tone {
  if (days < 0) return 'red';
  return days <= 7 ? 'yellow' : 'plain';
}
