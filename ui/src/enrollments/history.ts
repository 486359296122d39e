// Words for the events of an enrollment, for the student.
import type { components } from '../openapi.ts';

type Event = components['schemas']['HistoryOfEnrollment'];
type Verb = components['schemas']['Verb'];

const verbs = {
  request: 'You requested the course',
  enroll: 'The office enrolled you',
  approve: 'The office approved it',
  decline: 'The office declined it',
  waitlist: 'You were put on the waiting list',
  offer_place: 'A place was offered to you',
  accept_place: 'You took the place',
  decline_place: 'You declined the place',
  lapse: 'The offered place expired',
  withdraw: 'It was withdrawn',
  ask_to_leave: 'You asked to leave',
  stay: 'You stay after all',
  refuse_leave: 'The office asked you to stay',
  midterm: 'Midterm mark',
  complete: 'You completed the course',
  correct_mark: 'The final mark was corrected',
  reopen: 'The office reopened it',
  reverse_approval: 'The office took its approval back',
  change_dates: 'The dates were changed',
  cancel: 'The school cancelled the class',
  transfer: 'The office moved you to another class',
  undo: 'The decision was undone',
} satisfies Record<Verb, string>;

export function eventText({ verb, to, actorKind, mark }: Pick<Event, 'verb' | 'to' | 'actorKind' | 'mark'>): string {
  const isOwn = actorKind === 'student' && verb === 'withdraw';
  const words = isOwn ? 'You withdrew it' : verb ? verbs[verb] : to;
  return typeof mark === 'number' ? `${words}: ${mark}%` : words;
}
