// Names, status labels and status colours of admission requests.
import type { AdmissionRequest, AdmissionRequestStatus } from '../api-types.ts';
import { readWord, type Tone, wordsOf } from '../closedSets.ts';

export function nameOf({ firstName, lastName }: AdmissionRequest): string {
  return `${firstName} ${lastName}`.trim();
}

export const stateTones = {
  pending: 'yellow',
  in_review: 'blue',
  info_requested: 'yellow',
  waitlisted: 'blue',
  offered: 'green',
  accepted: 'green',
  expired: 'red',
  declined: 'red',
  withdrawn: 'red',
} satisfies Record<AdmissionRequestStatus, Tone>;

/** The status in a query parameter, or '' for all. */
export function readStatus(text: string): AdmissionRequestStatus | '' {
  return readWord(stateTones, text);
}

/** The readable status: "in review". */
export function statusText(status: AdmissionRequestStatus): string {
  return status.replaceAll('_', ' ');
}

export const statusOptions = [
  { value: '', label: 'All statuses' },
  ...wordsOf(stateTones).map((value) => ({ value, label: capital(statusText(value)) })),
];

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
