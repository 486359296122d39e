// Days off as people type and paste them, and the dates of a copied term.
import type { Term } from '../api-types.ts';
import { addDays, dateText, dayNumber } from '../dates.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** One day, or the first and the last of several. */
const line =
  /(\d{4}-\d{1,2}-\d{1,2}|[a-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2} [a-z]{3,9}\.? \d{4})(?:\s*(?:–|—|-|to|until)\s*(\d{4}-\d{1,2}-\d{1,2}|[a-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2} [a-z]{3,9}\.? \d{4}))?/gi;

/** "2026-12-21", "December 21, 2026" or "21 Dec 2026" as YYYY-MM-DD; null if it is none. */
function readDate(text: string): string | null {
  const words = text.toLowerCase().match(/\d+|[a-z]{3,}/g) ?? [];
  const isIso = /^\d{4}-/.test(text);
  const [year, day] = words.filter((word) => /^\d/.test(word)).toSorted((a, b) => b.length - a.length);
  const month = isIso ? Number(words[1]) : months.indexOf(words.find((word) => months.includes(word.slice(0, 3)))?.slice(0, 3) ?? '') + 1;
  const found = `${year}-${String(month).padStart(2, '0')}-${(isIso ? (words[2] ?? '') : (day ?? '')).padStart(2, '0')}`;
  return dayNumber(found) === null ? null : found;
}

/** More days in a row are a mistake, such as a wrong year. */
const most_days = 120;

/** The dates of a text, in order and once each, and what could not be read. */
export function readDaysOff(text: string): { dates: string[]; unread: string[] } {
  const dates = new Set<string>();
  const unread: string[] = [];
  const rest = text.replace(line, (whole, first: string, last?: string) => {
    const [from, to] = [readDate(first), readDate(last ?? first)];
    const days = from && to ? (dayNumber(to) ?? 0) - (dayNumber(from) ?? 0) : -1;
    if (!from || days < 0 || days > most_days) unread.push(whole);
    else for (let at = 0; at <= days; at += 1) dates.add(addDays(from, at));
    return '\n';
  });
  unread.push(...rest.split(/[\n,;]+/).map((part) => part.trim()).filter(Boolean));
  return { dates: [...dates].toSorted(), unread };
}

/** Days in a row as one line: "2026-12-21 to 2027-01-01". */
export function daysOffText(dates: readonly string[]): string {
  return runsOf(dates).map(([first, last]) => (first === last ? first : `${first} to ${last}`)).join('\n');
}

/** "Dec 21, 2026 – Jan 1, 2027; Feb 15, 2027". */
export function daysOffSentence(dates: readonly string[]): string {
  return runsOf(dates).map(([first, last]) => (first === last ? dateText(first, '') : `${dateText(first, '')} – ${dateText(last, '')}`)).join('; ');
}

const withWeekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' });

/** "Mon, Dec 21, 2026 – Fri, Jan 1, 2027 (12 days)", or one day. */
export function runText([first, last]: [string, string]): string {
  const [from = 0, to = 0] = [dayNumber(first) ?? 0, dayNumber(last) ?? 0];
  const text = (day: number) => withWeekday.format(day * 86_400_000);
  return from === to ? text(from) : `${text(from)} – ${text(to)} (${to - from + 1} days)`;
}

/** The first and the last of days in a row. */
export function runsOf(dates: readonly string[]): [string, string][] {
  const runs: [string, string][] = [];
  for (const date of dates) {
    const run = runs.at(-1);
    if (run && addDays(run[1], 1) === date) run[1] = date;
    else runs.push([date, date]);
  }
  return runs;
}

/** The same weekday of the year after: 52 weeks on, or 53 where the date would otherwise fall into the week before. */
export function nextYear({ name, startsOn }: Pick<Term, 'name' | 'startsOn'>): { name: string; startsOn: string } {
  const weeks = [52, 53].toSorted((a, b) => distance(startsOn, a) - distance(startsOn, b))[0] ?? 52;
  return { name: name.replace(/\b(19|20)\d\d\b/g, (year) => String(Number(year) + 1)), startsOn: addDays(startsOn, weeks * 7) };
}

/** Days between a date so many weeks later and the same date of the next year. */
function distance(date: string, weeks: number): number {
  const anniversary = `${Number(date.slice(0, 4)) + 1}${date.slice(4).replace('-02-29', '-02-28')}`;
  return Math.abs((dayNumber(anniversary) ?? 0) - (dayNumber(date) ?? 0) - weeks * 7);
}

type Dates = Pick<Term, 'startsOn' | 'endsOn' | 'joinUntil' | 'daysOff'>;

/** The dates of a copy that starts on another day; days off keep their weekday. */
export function copiedDates(term: Dates, startsOn: string): Dates {
  const days = (dayNumber(startsOn) ?? 0) - (dayNumber(term.startsOn) ?? 0);
  const move = (date: string) => addDays(date, days);
  const endsOn = move(term.endsOn);
  const daysOff = term.daysOff.map((day) => addDays(day, Math.round(days / 7) * 7)).filter((day) => startsOn <= day && day <= endsOn);
  return { startsOn, endsOn, joinUntil: move(term.joinUntil), daysOff };
}
