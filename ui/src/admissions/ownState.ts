// What an application's state means to its family.
import type { AdmissionRequestStatus, DocumentType } from '../api-types.ts';
import { dateText, dayText, type Zone } from '../dates.ts';
import { type OwnApplication, wantedTypes } from './wire.ts';

/** The stations of an application, in the order in which it passes through them. */
export const stations = ['Received', 'In review', 'Decision', 'Your answer', 'Ready'] as const;

/** The station at which an application in this state is. */
export const stationOf = {
  pending: 0,
  in_review: 1,
  info_requested: 1,
  waitlisted: 2,
  declined: 2,
  offered: 3,
  expired: 3,
  withdrawn: 3,
  accepted: 4,
} satisfies Record<AdmissionRequestStatus, number>;

const ended: ReadonlySet<AdmissionRequestStatus> = new Set(['declined', 'expired', 'withdrawn', 'accepted']);

/** Whether the family can still withdraw it and upload documents. */
export const isOpen = (status: AdmissionRequestStatus) => !ended.has(status);

/** Whether the family can still correct its contact data. */
export const isCorrectable = (status: AdmissionRequestStatus) => status === 'pending' || status === 'info_requested';

/** The types of documents that the office asked for, and that the family has not sent since. */
export function stillWanted({ asked, documents }: OwnApplication): DocumentType[] {
  if (!asked) return [];
  const sent = new Set(documents.filter(({ uploadedAt }) => uploadedAt >= asked.at).map(({ documentType }) => documentType));
  return wantedTypes(asked).filter((type) => !sent.has(type));
}

/** Where the application stands, in one sentence. */
export function ownWords({ status, stateSince, offer, firstName }: OwnApplication, timeZone: Zone): string {
  const since = dayText(stateSince, timeZone, 'an unknown date');
  switch (status) {
    case 'pending': return `We received the application on ${since}. The office has not opened it yet.`;
    case 'in_review': return 'The office is reading the application. You do not need to do anything now.';
    case 'info_requested': return 'We need something from you before we can decide.';
    case 'waitlisted': return `On the waiting list since ${since}. We will write to you when a place is free.`;
    case 'offered': return `We offer ${firstName} a place. Please answer by ${dateText(offer?.expiresOn, 'the date in our email')}.`;
    case 'accepted': return 'The place is yours. An invitation to the student account is on its way by email.';
    case 'expired': return `The offer ended on ${dateText(offer?.expiresOn, since)}. Please contact the office if you would still like the place.`;
    case 'declined': return offer ? `The offer was declined on ${since}.` : `We cannot offer a place. Our email of ${since} says why.`;
    case 'withdrawn': return `The application was withdrawn on ${since}.`;
  }
}
