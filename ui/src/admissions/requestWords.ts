// The acts of the office, and the events of an admission request, in words.
import type { AdmissionRequestStatus } from '../api-types.ts';
import { wordsOf } from '../closedSets.ts';
import { statusText } from './requests.ts';
import type { RequestEvent, Source } from './wire.ts';

/** The acts of the office, each an endpoint. */
export type Verb = 'start-review' | 'ask' | 'remind' | 'offer' | 'waitlist' | 'decline' | 'withdraw' | 'reopen';

/** The acts that a state allows, the usual one first. */
export const nextActs = {
  pending: ['start-review', 'ask', 'offer', 'waitlist', 'decline', 'withdraw'],
  in_review: ['offer', 'ask', 'waitlist', 'decline', 'withdraw'],
  info_requested: ['remind', 'start-review', 'offer', 'waitlist', 'decline', 'withdraw'],
  waitlisted: ['offer', 'start-review', 'ask', 'decline', 'withdraw'],
  offered: ['offer', 'start-review', 'decline', 'withdraw'],
  accepted: [],
  expired: ['offer', 'reopen'],
  declined: ['reopen'],
  withdrawn: ['reopen'],
} satisfies Record<AdmissionRequestStatus, readonly Verb[]>;

/** A button's label; three dots where a dialog follows. */
export function actLabel(verb: Verb, status: AdmissionRequestStatus): string {
  switch (verb) {
    case 'start-review': return status === 'offered' ? 'Withdraw the Offer…' : status === 'pending' ? 'Start Review' : 'Review Again';
    case 'ask': return 'Ask for Information…';
    case 'remind': return 'Remind';
    case 'offer': return status === 'offered' || status === 'expired' ? 'New Offer…' : 'Offer a Place…';
    case 'waitlist': return 'Waiting List';
    case 'decline': return 'Decline…';
    case 'withdraw': return 'Withdraw…';
    case 'reopen': return 'Reopen';
  }
}

/** Why an act is not offered now; null if it is. */
export function whyNot(verb: Verb, status: AdmissionRequestStatus): string | null {
  if ((nextActs[status] as readonly Verb[]).includes(verb)) return null;
  if (status === 'accepted') return 'The family has accepted the offer. Cancel the admission instead.';
  if (verb === 'remind') return 'No question to the family is open.';
  if (verb === 'reopen') return 'The request is open.';
  if (status === 'expired' || status === 'declined' || status === 'withdrawn') return 'The request is closed. Reopen it first.';
  if (status === 'offered') return 'There is an open offer. Withdraw it first.';
  if (verb === 'ask') return 'The family has been asked already. Review again, then ask.';
  return verb === 'waitlist' ? 'It is on the waiting list.' : 'The review is under way.';
}

/** The acts that a state does not allow, each with the reason. */
export const otherActs = (status: AdmissionRequestStatus): { verb: Verb; why: string }[] =>
  wordsOf(doneWords).flatMap((verb) => {
    const why = whyNot(verb, status);
    return why === null ? [] : [{ verb, why }];
  });

export const doneWords = {
  'start-review': 'In review',
  ask: 'The family is asked',
  remind: 'The family is reminded',
  offer: 'Place offered',
  waitlist: 'On the waiting list',
  decline: 'Request declined',
  withdraw: 'Request withdrawn',
  reopen: 'Request reopened',
} satisfies Record<Verb, string>;

/** What a state waits for, for the head of a request. */
export const stateWords = {
  pending: 'Not reviewed yet.',
  in_review: 'Waits for a decision.',
  info_requested: 'Waits for the family’s answer.',
  waitlisted: 'Waits for a place.',
  offered: 'Waits for the family’s answer to the offer.',
  accepted: 'The family accepted the offer.',
  expired: 'The offer ended without an answer.',
  declined: 'Closed.',
  withdrawn: 'Closed.',
} satisfies Record<AdmissionRequestStatus, string>;

export const sourceWords = { web: 'On the website', phone: 'By phone', paper: 'On paper', agent: 'By an agent' } satisfies Record<Source, string>;

const eventVerbs: Readonly<Record<string, string>> = {
  receive: 'Received',
  edit: 'Details corrected',
  start_review: 'Review started',
  ask: 'Information requested',
  remind: 'Reminded',
  answer: 'Answered',
  upload: 'Document uploaded',
  waitlist: 'Put on the waiting list',
  offer: 'Place offered',
  accept: 'Offer accepted',
  decline: 'Declined',
  withdraw: 'Withdrawn',
  expire: 'Offer expired',
  reopen: 'Reopened',
  link: 'Linked to a student',
  cancel: 'Admission cancelled',
  undo: 'Decision undone',
  stop: 'Disclosing stopped',
  resume: 'Disclosing resumed',
  disown: 'Student account not recognized',
};

/** Acts of the office that the family is not told about. */
const internal: ReadonlySet<string> = new Set(['edit', 'start_review', 'reopen', 'link', 'undo', 'stop', 'resume']);

/** The family loses its offer when the review starts again. */
const isOfferEnd = ({ verb, from }: Pick<RequestEvent, 'verb' | 'from'>) => verb === 'start_review' && from === 'offered';

export const isInternal = (event: Pick<RequestEvent, 'verb' | 'actorKind' | 'from'>) => event.actorKind === 'staff' && internal.has(event.verb) && !isOfferEnd(event);

/** "Offer accepted" */
export function eventWords({ verb, from, to }: Pick<RequestEvent, 'verb' | 'from' | 'to'>): string {
  if (isOfferEnd({ verb, from })) return 'Offer withdrawn';
  return eventVerbs[verb] ?? (to ? statusText(to) : verb);
}

/** "the family", "registrar" */
export function actorWords({ actorKind, by }: Pick<RequestEvent, 'actorKind' | 'by'>): string {
  return by ?? { family: 'the family', system: 'the server', staff: 'the office' }[actorKind];
}
