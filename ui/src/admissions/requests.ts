// What the office's screens say of an admission request: whose it is, its state in words, and the
// colour of that state.
import type { AdmissionRequest } from '../api-types.ts';

export function nameOf({ firstName, lastName }: AdmissionRequest): string {
  return `${firstName} ${lastName}`.trim();
}

const states = [
  { value: 'pending', tone: 'yellow' },
  { value: 'in_review', tone: 'blue' },
  { value: 'info_requested', tone: 'yellow' },
  { value: 'waitlisted', tone: 'blue' },
  { value: 'offered', tone: 'green' },
  { value: 'accepted', tone: 'green' },
  { value: 'expired', tone: 'red' },
  { value: 'declined', tone: 'red' },
  { value: 'withdrawn', tone: 'red' },
] as const;

/** The state a query parameter names, or '' for every state. */
export function readStatus(text: string): string {
  return states.find(({ value }) => value === text)?.value ?? '';
}

/** "in review": the raw value as a person writes it. */
export function statusText(status: string): string {
  return status.replaceAll('_', ' ');
}

export function statusTone(status: string): string {
  return states.find(({ value }) => value === status)?.tone ?? 'red';
}

export const statusOptions = [
  { value: '', label: 'All statuses' },
  ...states.map(({ value }) => ({ value, label: capital(statusText(value)) })),
];

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
