// Names, states and ages of admission requests.
import type { AdmissionRequest, AdmissionRequestStatus } from '../api-types.ts';
import type { Tone } from '../closedSets.ts';
import type { RequestRow } from './wire.ts';

export function nameOf({ firstName, lastName }: Pick<AdmissionRequest, 'firstName' | 'lastName'>): string {
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

/** "info requested" */
export function statusText(status: AdmissionRequestStatus): string {
  return status.replace('_', ' ');
}

export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** "Info requested" */
export const statusLabel = (status: AdmissionRequestStatus) => capitalized(statusText(status));

const closed: ReadonlySet<AdmissionRequestStatus> = new Set(['accepted', 'expired', 'declined', 'withdrawn']);

export const isOpen = (status: AdmissionRequestStatus) => !closed.has(status);

/** "today", "1 day", "12 days" in its state; '–' once nothing waits. */
export function ageText({ status, stateSince }: Pick<RequestRow, 'status' | 'stateSince'>, now: number = Date.now()): string {
  const days = Math.floor((now - Date.parse(stateSince)) / 86_400_000);
  if (!isOpen(status) || Number.isNaN(days)) return '–';
  return days < 1 ? 'today' : days === 1 ? '1 day' : `${days} days`;
}

/** Whether a link works no longer; null where it is gone. */
export const hasExpired = (expiresAt: string | null, now: number = Date.now()) => expiresAt === null || Date.parse(expiresAt) <= now;

/** Whether a reminder of the office's question can leave today. */
export const canBeReminded = ({ question }: Pick<RequestRow, 'question'>) => question?.canBeReminded === true;

/** Whether the student has an account to open. */
export const canBeInvited = ({ account }: Pick<RequestRow, 'account'>) => account !== null;

/** Acts that need no dialog, on one row or on many. */
export type QuickVerb = 'remind' | 'invite';
