// Weekly class hours, in the school's zone and in the reader's. The weekday may be another there, and either clock may
// change during a section, so the reader's hours are computed for the dates on which the section meets.
// Uses no other file: a public page loads it alone.
import type { Delivery, School, SectionKind } from './api-types.ts';

/** Weekday 1 is Monday; hours are of the school's zone: "19:00". */
export type Meeting = { weekday: number; startsAt: string; endsAt: string };

export const deliveries = { synchronous: 'Live', asynchronous: 'Own pace', blended: 'Blended' } satisfies Record<Delivery, string>;

export const sectionKinds = { regular: 'Regular', upgrade: 'Upgrade' } satisfies Record<SectionKind, string>;

export type NamedSection = { termName: string | null; label: string; delivery: Delivery; kind?: SectionKind };

/** "Winter 2027 · Section A · Live". */
export const sectionText = ({ termName, label, delivery, kind }: NamedSection) =>
  [termName, `Section ${label}`, deliveries[delivery], kind === 'upgrade' && sectionKinds.upgrade].filter(Boolean).join(' · ');

type Dates = { startsOn: string; endsOn: string };

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** "Tue", "Tue and Thu", "Mon, Wed and Fri". */
export const listText = (words: readonly string[]) => words.join(', ').replace(/, ([^,]*)$/, ' and $1');

/** "Tue and Thu 19:00–20:30"; different hours are joined with a semicolon. Empty without meetings. */
export function hoursText(meetings: readonly Meeting[]): string {
  const byHours = new Map<string, number[]>();
  for (const { weekday, startsAt, endsAt } of meetings) {
    const hours = `${startsAt}–${endsAt}`;
    byHours.set(hours, [...(byHours.get(hours) ?? []), weekday]);
  }
  return [...byHours].map(([hours, days]) => `${listText(days.toSorted((a, b) => a - b).map((day) => weekdays[day - 1] ?? ''))} ${hours}`).join('; ');
}

/** "Toronto", from "America/Toronto". */
export const placeOf = (timeZone: string) => timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone;

/** As in `dates.ts`. */
type Zone = School['timeZone'];

const byBrowser = (name: string): Zone => ({ name, offsets: [] });

function readersZone(school: Zone): Zone {
  const name = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return name === school.name ? school : byBrowser(name);
}

const day_ms = 86_400_000;

/** Days since 1970-01-01. */
const dayNumber = (date: string) => Date.parse(`${date}T00:00:00Z`) / day_ms;

const dateFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

const dateText = (date: string) => dateFormat.format(dayNumber(date) * day_ms);

const minute_ms = 60_000;
const day_minutes = 1440;

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

const clockOf = (minutes: number) => {
  const of = ((minutes % day_minutes) + day_minutes) % day_minutes;
  return `${String(Math.floor(of / 60)).padStart(2, '0')}:${String(of % 60).padStart(2, '0')}`;
};

const formats = new Map<string, Intl.DateTimeFormat>();

/** Minutes by which a zone's clock is ahead of UTC at an instant. */
function offset({ name: timeZone, offsets }: Zone, at_ms: number): number {
  const known = offsets.findLast(({ from }) => Date.parse(from) <= at_ms);
  if (known) return known.minutes;
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  formats.set(timeZone, format);
  const name = format.formatToParts(at_ms).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d+):?(\d+)?/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** The instant at which a zone's clock shows a time on a date. */
function instantOf(day: number, minutes: number, timeZone: Zone): number {
  const local_ms = (day * day_minutes + minutes) * minute_ms;
  const guess_ms = local_ms - offset(timeZone, local_ms) * minute_ms;
  return local_ms - offset(timeZone, guess_ms) * minute_ms;
}

/** The same meetings on a clock that is so many minutes ahead. */
const shifted = (meetings: readonly Meeting[], ahead: number): Meeting[] =>
  meetings.map(({ weekday, startsAt, endsAt }) => {
    const start = minutesOf(startsAt) + ahead;
    return { weekday: ((weekday - 1 + Math.floor(start / day_minutes) + 7) % 7) + 1, startsAt: clockOf(start), endsAt: clockOf(minutesOf(endsAt) + ahead) };
  });

/** The reader's hours, and from which date on; null from the beginning. */
export type OwnHours = { from: string | null; text: string };

/**
 * The hours in the reader's zone, with one entry more for each change of a clock before the end. Empty if they are the
 * school's throughout, and if the browser's rules are older: they may be wrong about the reader's zone too.
 */
export function ownHours(meetings: readonly Meeting[], { startsOn, endsOn }: Dates, schoolZone: Zone, ownZone: Zone, since: string): OwnHours[] {
  const found: (OwnHours & { ahead: number })[] = [];
  const last = dayNumber(endsOn);
  for (let day = Math.max(dayNumber(startsOn), dayNumber(since)); day <= last; day += 1) {
    // 1970-01-01 was a Thursday.
    const weekday = ((day + 3) % 7) + 1;
    for (const meeting of meetings.filter((one) => one.weekday === weekday).toSorted((a, b) => a.startsAt.localeCompare(b.startsAt))) {
      const at_ms = instantOf(day, minutesOf(meeting.startsAt), schoolZone);
      if (offset(byBrowser(schoolZone.name), at_ms) !== offset(schoolZone, at_ms)) return [];
      const ahead = offset(ownZone, at_ms) - offset(schoolZone, at_ms);
      if (found.at(-1)?.ahead === ahead) continue;
      const date = new Date(at_ms + offset(ownZone, at_ms) * minute_ms).toISOString().slice(0, 10);
      found.push({ ahead, from: found.length > 0 ? date : null, text: hoursText(shifted(meetings, ahead)) });
    }
  }
  return found.every(({ ahead }) => ahead === 0) ? [] : found.map(({ from, text }) => ({ from, text }));
}

/** "Wed and Fri 01:00–02:30 your time; from Mar 17, 2027: Wed and Fri 00:00–01:30". Without weekdays if they are the school's throughout. */
export function ownHoursText(own: readonly OwnHours[], meetings: readonly Meeting[]): string {
  const days = /^[^\d;]*/.exec(hoursText(meetings))?.[0] ?? '';
  const areSame = own.every(({ text }) => text.startsWith(days) && !text.includes(';'));
  const bare = (text: string) => (areSame ? text.slice(days.length) : text);
  return own.map(({ from, text }) => (from ? `from ${dateText(from)}: ${bare(text)}` : `${bare(text)} your time`)).join('; ');
}

type Timed = Dates & { meetings: readonly Meeting[]; timeZone: Zone };

/** The hours where the reader is; empty if they are the school's, or without meetings. */
export function readersHours({ meetings, timeZone, ...dates }: Timed, zone = readersZone(timeZone), day = new Date().toISOString().slice(0, 10)): string {
  return ownHoursText(ownHours(meetings, dates, timeZone, zone, day), meetings);
}

/** "Tue and Thu 19:00–20:30", or "At your own pace until Jun 18, 2027" without meetings. */
export function whenText({ meetings, endsOn }: { meetings: readonly Meeting[]; endsOn: string }): string {
  return hoursText(meetings) || `At your own pace until ${dateText(endsOn)}`;
}
