// Calendar dates ("2026-09-08") and instants. A calendar date is counted in days and never
// becomes an instant of some time zone, so it can never slip to the day before.
import type { School } from './api-types.ts';

const day_ms = 86_400_000;
const minute_ms = 60_000;

/** Days since 1970-01-01, or null for an invalid date. */
export function dayNumber(date: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date);
  if (!match) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const utc = new Date(0);
  utc.setUTCFullYear(year, month - 1, day);
  return utc.getUTCMonth() === month - 1 && utc.getUTCDate() === day ? utc.getTime() / day_ms : null;
}

function fromDayNumber(days: number): string {
  return new Date(days * day_ms).toISOString().slice(0, 10);
}

/** The date some days later. */
export const addDays = (date: string, days: number): string => fromDayNumber((dayNumber(date) ?? 0) + days);

/** "Toronto", from "America/Toronto". */
export const placeOf = (timeZone: string) => timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone;

/** The school's zone with its offsets by the server's rules; another zone has none, and is read by the browser's. */
export type Zone = School['timeZone'];

/** A zone by the browser's rules alone, which may be older than the school's. */
const byBrowser = (name: string): Zone => ({ name, offsets: [] });

/** The browser's time zone. */
export function readersZone(school: Zone): Zone {
  const name = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return name === school.name ? school : byBrowser(name);
}

/** Writes an instant on a zone's clock. */
export function zonedText(locale: string, options: Intl.DateTimeFormatOptions, { name, offsets }: Zone, at_ms: number): string {
  const known = offsets.findLast(({ from }) => Date.parse(from) <= at_ms);
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: known ? 'UTC' : name });
  return plain(format, known ? at_ms + known.minutes * minute_ms : at_ms);
}

/** "2026-11-27": the school's date. */
export const schoolDay = (zone: Zone, at: Date = new Date()) => zonedText('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' }, zone, at.getTime());

/** Whether the browser's rules give an instant another hour at the school than the server's: they are older. */
export const isOldBrowser = (school: Zone, instant: string) => momentText(instant, school) !== momentText(instant, byBrowser(school.name));

const pad = (value: number, length: number) => String(value).padStart(length, '0');

/** Today in the browser's time zone. */
export function today(now: Date = new Date()): string {
  return `${pad(now.getFullYear(), 4)}-${pad(now.getMonth() + 1, 2)}-${pad(now.getDate(), 2)}`;
}

/** The same day some months later, at most the last day of that month. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0));
  return fromDayNumber(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(day, last.getUTCDate())) / day_ms);
}

const short = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** "Sep 8, 2026": abbreviated month, day and year (section 2); `otherwise` for no date. */
export function dateText(date: string | null | undefined, otherwise: string): string {
  const days = date ? dayNumber(date) : null;
  return days === null ? otherwise : plain(short, days * day_ms);
}

/** "March 5, 2024": the day of an instant, in the school's time zone; `otherwise` for none. */
export function dayText(instant: string | null | undefined, timeZone: Zone, otherwise: string): string {
  return instantText(instant, { dateStyle: 'long' }, timeZone, otherwise);
}

/** "Mar 5, 2024": the short form. */
export function shortDayText(instant: string | null | undefined, timeZone: Zone, otherwise: string): string {
  return instantText(instant, { dateStyle: 'medium' }, timeZone, otherwise);
}

/** "Mar 5, 2024, 2:30 PM", in the school's time zone. */
export function momentText(instant: string, timeZone: Zone): string {
  return instantText(instant, { dateStyle: 'medium', timeStyle: 'short' }, timeZone, '');
}

/**
 * "Mar 5, 2024, 11:59 PM Toronto time", and if the reader's time differs, " (Mar 6, 2024, 12:59 PM your time)", which an
 * old browser does not know.
 */
export function deadlineText(instant: string, timeZone: Zone, own: Zone = readersZone(timeZone)): string {
  const place = placeOf(timeZone.name);
  const [there, here] = [momentText(instant, timeZone), momentText(instant, own)];
  const isSame = here === there || isOldBrowser(timeZone, instant);
  return `${there} ${place === 'UTC' ? place : `${place} time`}${isSame ? '' : ` (${here} your time)`}`;
}

/** The short form: "Mar 5, 2:30 PM" this year, "Mar 5, 2024" in others. */
export function shortMomentText(instant: string, timeZone: Zone, now: Date = new Date()): string {
  const day = shortDayText(instant, timeZone, '');
  const thisYear = shortDayText(now.toISOString(), timeZone, '').slice(-6);
  return day.endsWith(thisYear) ? momentText(instant, timeZone).replace(thisYear, '') : day;
}

/** "2:30 PM", in the school's time zone. */
export function clockText(instant: string, timeZone: Zone): string {
  return instantText(instant, { timeStyle: 'short' }, timeZone, '');
}

/** "Today", "Yesterday", "Monday, March 4" of this year, "March 5, 2024" of another: a heading for a day's rows. */
export function dayHeading(instant: string, timeZone: Zone, now: Date = new Date()): string {
  const day = dayText(instant, timeZone, '');
  if (day === dayText(now.toISOString(), timeZone, '')) return 'Today';
  if (schoolDay(timeZone, new Date(instant)) === addDays(schoolDay(timeZone, now), -1)) return 'Yesterday';
  const isThisYear = day.slice(-4) === dayText(now.toISOString(), timeZone, '').slice(-4);
  return isThisYear ? instantText(instant, { weekday: 'long', month: 'long', day: 'numeric' }, timeZone, '') : day;
}

function instantText(instant: string | null | undefined, options: Intl.DateTimeFormatOptions, zone: Zone, otherwise: string) {
  const time = instant ? Date.parse(instant) : Number.NaN;
  return Number.isNaN(time) ? otherwise : zonedText('en-US', options, zone, time);
}

/** Replaces the narrow no-break space before AM and PM, so that text can be copied and searched. */
function plain(format: Intl.DateTimeFormat, time: number): string {
  return format.format(time).replace(/\u202f/g, ' ');
}
