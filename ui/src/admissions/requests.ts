// What the office's screens say of an admission request: whose it is, its state in words, and the
// colour of that state.
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

/** The state a query parameter names, or '' for every state. */
export function readStatus(text: string): AdmissionRequestStatus | '' {
  return readWord(stateTones, text);
}

/** "in review": the raw value as a person writes it. */
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
