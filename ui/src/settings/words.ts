// Words for error paths, announcement dates and lists of parts.
import { dateText } from '../dates.ts';
import { type Announcement, partNames } from './draft.ts';
import { factNames, facts } from './facts.ts';

/** Parts and their fields, in display order. */
const order = ['facts', 'texts', 'banner', 'semesters', 'showFees', 'showSeats', 'questions', 'hours', 'universities', 'colour', 'accent', 'crest', 'hero', 'campus', 'people', 'everyGuardianConfirms', 'waitingEmail'];
const fieldOrder = [...factNames, 'terms', 'privacy', 'refunds', 'howToPay', 'text', 'linkText', 'linkTo', 'from', 'until', 'question', 'answer', 'days', 'opens', 'closes', 'picture', 'alt', 'role', 'startDate', 'endDate', 'joinUntil'];

/** Sort key of a path: part, row, field. */
function placeOf(path: string): number {
  const names = path.split('.');
  const row = names.find((name) => /^\d+$/.test(name)) ?? 0;
  return order.indexOf(names[0] ?? '') * 10_000 + Number(row) * 100 + fieldOrder.indexOf(names.at(-1) ?? '');
}

/** Singular names of list rows, and names of the other parts. */
const things: Record<string, string> = {
  ...partNames,
  semesters: 'Semester',
  questions: 'Question',
  universities: 'University',
  colour: 'Main colour',
  accent: 'Accent colour',
  campus: 'Campus picture',
  people: 'Person',
};

const fields: Record<string, string> = {
  howToPay: 'how to pay',
  ...Object.fromEntries(factNames.map((name) => [name, facts[name].label.toLowerCase()])),
  linkText: 'link text',
  linkTo: 'link address',
  from: 'first day',
  until: 'last day',
  alt: 'what it shows',
  startDate: 'first day',
  endDate: 'last day',
  joinUntil: 'last day to join',
};

/** "questions.2.answer" as "Question 3, answer". */
export function pathWords(path: string): string {
  const [thing = '', ...rest] = path.split('.');
  const [place, field] = /^\d+$/.test(rest[0] ?? '') ? rest : [undefined, rest[0]];
  const name = things[thing] ?? thing;
  const which = place === undefined ? name : `${name} ${Number(place) + 1}`;
  return field ? `${which}, ${fields[field] ?? field}` : which;
}

/** Id of the field at a path. All universities share one field. */
export const idOf = (path: string) => `settings-${path.replace(/^universities\..*/, 'universities').replaceAll('.', '-')}`;

export type FieldErrors = Readonly<Record<string, string>>;

/** All errors in page order, each with its location. */
export function summaryOf(errors: FieldErrors): { id: string; message: string }[] {
  const paths = Object.keys(errors).toSorted((one, other) => placeOf(one) - placeOf(other));
  return paths.map((path) => ({ id: idOf(path), message: `${pathWords(path)}: ${errors[path]}` }));
}

/** Errors of the list of universities, line by line. */
export function universitiesError(errors: FieldErrors): string | undefined {
  const lines = summaryOf(errors).filter(({ id }) => id === idOf('universities'));
  return lines.map(({ message }) => message).join('. ') || undefined;
}

/** Errors without those at or below a changed path. */
export function errorsWithout(errors: FieldErrors, path: string): FieldErrors {
  const left = Object.entries(errors).filter(([name]) => name !== path && !name.startsWith(`${path}.`));
  return Object.fromEntries(left);
}

type TextState = { tone: 'green' | 'blue' | 'yellow'; words: string };

/** Whether a published announcement shows on a day; null without one. */
export function announcementState({ text, from, until }: Announcement, day: string): TextState | null {
  if (text.trim() === '') return null;
  if (until && until < day) return { tone: 'yellow', words: `Over since ${dateText(until, until)}` };
  if (from && from > day) return { tone: 'blue', words: `Shows from ${dateText(from, from)}` };
  return { tone: 'green', words: until ? `Shows today, until ${dateText(until, until)}` : 'Shows today' };
}

/** "Announcement, Questions and Hours". */
export function joinNames(names: readonly string[]): string {
  return new Intl.ListFormat('en-CA').format(names);
}
