import { expect, it } from 'vitest';
import type { Settings } from '../api-types.ts';
import { colourOf, isSame, linesOf, merge, moveRow, newRow, noAnnouncement, takeParts, toDraft, toInput } from './draft.ts';

const noFacts: Settings['facts'] = {
  name: null, email: null, phone: null, street: null, city: null, province: null, postalCode: null, inspectionId: null, registrationNumber: null, foundedYear: null, tagline: null,
};

const noTexts: Settings['texts'] = { terms: null, privacy: null, refunds: null, howToPay: null };

const money = { eTransfer: null, dueDays: null, reminders: null, reminderDays: null, offerFee: null, offerDeposit: null, offerAnswerDays: null, offerDepositDays: null, offerFeeDays: null };

const nothing: Settings = { facts: noFacts, texts: noTexts, hours: [], universities: null, banner: null, questions: [], colour: null, accent: null, crest: null, hero: null, campus: [], people: [], semesters: [], showFees: false, showSeats: false, everyGuardianConfirms: null, waitingEmail: true, money };

const whole: Settings = {
  facts: { ...noFacts, name: 'Lakeview College', foundedYear: 2003 },
  texts: { ...noTexts, refunds: 'All of it, until the first day.' },
  hours: [{ days: ['monday', 'friday'], opens: '08:30', closes: '16:30' }],
  universities: ['McGill University', 'Queen’s University'],
  banner: { text: 'Open house', link: { text: 'Come', to: '/contact' }, from: '2026-09-01', until: null },
  questions: [{ question: 'Do credits count?', answer: 'They do.' }],
  colour: '#7a0019',
  accent: null,
  crest: '0123456789abcdef',
  hero: { picture: '0123456789abcdef', alt: 'A classroom' },
  campus: [{ picture: '0123456789abcdef', alt: 'The house' }],
  people: [{ picture: '0123456789abcdef', name: 'A. Li', role: 'Principal' }],
  semesters: [{ name: 'Winter 2027', startDate: '2027-01-04', endDate: '2027-04-30', joinUntil: '2027-01-18' }],
  showFees: true,
  showSeats: true,
  everyGuardianConfirms: true,
  waitingEmail: false,
  money,
};

const sent = (settings: Settings) => JSON.parse(JSON.stringify(toInput(toDraft(settings)))) as unknown;

it('settings come back as they came, but for the announcement’s flat form', () => {
  expect({ ...(sent(nothing) as object), money }).toEqual(nothing);
  const banner = { text: 'Open house', linkText: 'Come', linkTo: '/contact', from: '2026-09-01', until: null };
  expect({ ...(sent(whole) as object), money }).toEqual({ ...whole, banner });
  expect(isSame(toDraft(whole), toDraft(whole)), 'whatever its rows are called').toBe(true);
});

it('an announcement without a word is none, and half of one is sent to be refused', () => {
  expect(toInput(toDraft(nothing)).banner).toBeNull();
  expect(toInput({ ...toDraft(nothing), banner: { ...noAnnouncement, linkTo: '/x' } }).banner).toMatchObject({ text: '', linkTo: '/x' });
});

it('a fact that is emptied is the configuration’s again, and what is no year is sent to be refused', () => {
  const { facts } = toDraft(whole);
  const of = (changed: Partial<typeof facts>) => toInput({ ...toDraft(whole), facts: { ...facts, ...changed } }).facts;
  expect(of({ name: ' ', foundedYear: '' })).toEqual(noFacts);
  expect(of({ foundedYear: 'long ago' })).toMatchObject({ name: 'Lakeview College', foundedYear: 'long ago' });
});

it('universities are lines, and an empty list of one’s own is not the configuration’s', () => {
  expect(linesOf(' McGill University \n\n York University\n')).toEqual(['McGill University', 'York University']);
  expect(toInput({ ...toDraft(nothing), universities: ' \n' }).universities).toEqual([]);
});

it.each([['', null], [' #7A0019 ', '#7a0019'], ['7a0019', '#7a0019'], ['navy', '#navy']])('the colour %j is %j', (typed, colour) => {
  expect(colourOf(typed)).toBe(colour);
});

it('rows move within their list and not out of it', () => {
  expect(moveRow(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'c', 'b']);
  expect(moveRow(['a', 'b', 'c'], 0, 1)).toEqual(['b', 'a', 'c']);
  for (const [from, to] of [[0, -1], [2, 3], [7, 0]] as const) expect(moveRow(['a', 'b', 'c'], from, to)).toEqual(['a', 'b', 'c']);
});

it('a colleague’s changes are merged with unsaved input, part by part', () => {
  const base = toDraft(whole);
  const mine = { ...base, hero: null, questions: [...base.questions, newRow({ question: 'And fees?', answer: 'See below.' })] };
  const theirs = toDraft({ ...whole, crest: null, questions: [] });
  const { draft, both } = merge(base, mine, theirs);
  expect(both).toEqual(['questions']);
  expect(draft.questions).toBe(mine.questions);
  expect([draft.crest, draft.hero]).toEqual([null, null]);
  expect(takeParts(draft, theirs, both).questions).toEqual([]);
});

it('equal changes do not conflict, and unchanged rows keep their keys', () => {
  const base = toDraft(whole);
  const same = { ...base, crest: null };
  const { draft, both } = merge(base, same, toDraft({ ...whole, crest: null }));
  expect(both).toEqual([]);
  expect(draft.people).toBe(base.people);
});
