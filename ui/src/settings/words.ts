// The page's words: of the errors that the server names by path, of an announcement's days, of parts in a sentence.
import { dateText } from '../dates.ts';
import type { Announcement } from './draft.ts';
import { factNames, facts } from './facts.ts';

/** The parts, and the fields of each, in the order in which they stand. */
const order = ['facts', 'texts', 'banner', 'semesters', 'showFees', 'questions', 'hours', 'universities', 'colour', 'accent', 'crest', 'hero', 'campus', 'people', 'waitingEmail'];
const fieldOrder = [...factNames, 'terms', 'privacy', 'refunds', 'howToPay', 'text', 'linkText', 'linkTo', 'from', 'until', 'question', 'answer', 'days', 'opens', 'closes', 'picture', 'alt', 'role', 'startDate', 'endDate', 'joinUntil'];

/** What a path is sorted by: its part, its row, its field. */
function placeOf(path: string): number {
  const names = path.split('.');
  const row = names.find((name) => /^\d+$/.test(name)) ?? 0;
  return order.indexOf(names[0] ?? '') * 10_000 + Number(row) * 100 + fieldOrder.indexOf(names.at(-1) ?? '');
}

/** What one of them is called, and all of those that are alone. */
const things: Record<string, string> = {
  facts: 'School facts',
  texts: 'Texts',
  banner: 'Announcement',
  semesters: 'Semester',
  showFees: 'Fees on the website',
  questions: 'Question',
  hours: 'Hours',
  universities: 'University',
  colour: 'Main colour',
  accent: 'Accent colour',
  crest: 'Crest',
  hero: 'Hero picture',
  campus: 'Campus picture',
  people: 'Person',
  waitingEmail: 'Weekday email',
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

/** The id of the field at a path. All universities stand in one. */
export const idOf = (path: string) => `settings-${path.replace(/^universities\..*/, 'universities').replaceAll('.', '-')}`;

export type FieldErrors = Readonly<Record<string, string>>;

/** Everything that is wrong, in the order of the page, each saying of what it speaks. */
export function summaryOf(errors: FieldErrors): { id: string; message: string }[] {
  const paths = Object.keys(errors).toSorted((one, other) => placeOf(one) - placeOf(other));
  return paths.map((path) => ({ id: idOf(path), message: `${pathWords(path)}: ${errors[path]}` }));
}

/** What is wrong with the list of universities, line by line. */
export function universitiesError(errors: FieldErrors): string | undefined {
  const lines = summaryOf(errors).filter(({ id }) => id === idOf('universities'));
  return lines.map(({ message }) => message).join('. ') || undefined;
}

/** The errors that are left once something was changed: at a path, or anywhere below it. */
export function errorsWithout(errors: FieldErrors, path: string): FieldErrors {
  const left = Object.entries(errors).filter(([name]) => name !== path && !name.startsWith(`${path}.`));
  return Object.fromEntries(left);
}

type Showing = { tone: 'green' | 'blue' | 'yellow'; words: string };

/** Whether an announcement shows on a day, once it is published; null where there is none. */
export function showing({ text, from, until }: Announcement, day: string): Showing | null {
  if (text.trim() === '') return null;
  if (until && until < day) return { tone: 'yellow', words: `Over since ${dateText(until, until)}` };
  if (from && from > day) return { tone: 'blue', words: `Shows from ${dateText(from, from)}` };
  return { tone: 'green', words: until ? `Shows today, until ${dateText(until, until)}` : 'Shows today' };
}

/** "Announcement, Questions and Hours". */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat('en-CA').format(names);
}
