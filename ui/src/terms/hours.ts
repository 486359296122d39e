// Class hours as the office types them into a cell: "Tue Thu 19:00-20:30; Sat 10-11".
import type { OfficeMeeting } from '../api-types.ts';
import { weekdays } from '../meetings.ts';

export type TypedMeeting = Omit<OfficeMeeting, 'id'> & { id?: number };

const clock = /^(\d{1,2})(?::?(\d{2}))?\s*(am|pm)?$/i;

/** "19:00" from "19", "19:00", "1900" or "7 pm"; null if it is no time. */
export function readClock(text: string): string | null {
  const [, hour = '', minute = '00', half = ''] = clock.exec(text.trim()) ?? [];
  const hours = half ? (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : Number(hour);
  return hour === '' || hours > 23 || Number(minute) > 59 || (half && Number(hour) > 12) ? null : `${String(hours).padStart(2, '0')}:${minute}`;
}

const names = weekdays.map((day) => day.toLowerCase());

/** The weekdays of "Tue and Thu", "mon, wed" or "Tuesdays"; null if a word is none. */
function readDays(text: string): number[] | null {
  const words = text.toLowerCase().split(/[\s,/&+]+|\band\b/).filter(Boolean);
  const days = words.map((word) => names.findIndex((name) => word.length >= 2 && (word.startsWith(name) || name.startsWith(word))) + 1);
  return days.length === 0 || days.includes(0) ? null : [...new Set(days)];
}

/** The meetings of a typed text, or what is wrong with it. Each goes on from the one on its weekday, or in its place. */
export function readHours(text: string, before: readonly TypedMeeting[]): { meetings: TypedMeeting[] } | { problem: string } {
  const found: TypedMeeting[] = [];
  for (const part of text.split(/[;\n]+/).map((one) => one.trim()).filter(Boolean)) {
    const [, days = '', first = '', last = ''] = /^(\D*?)\s*(\d[\d:]*\s*(?:[ap]m)?)\s*(?:–|—|-|to)\s*(\d[\d:]*\s*(?:[ap]m)?)$/i.exec(part) ?? [];
    const [on, startsAt, endsAt] = [readDays(days), readClock(first), readClock(last)];
    if (!on || !startsAt || !endsAt) return { problem: 'Write days and hours such as “Tue Thu 19:00–20:30”' };
    if (endsAt <= startsAt) return { problem: 'A class must end after it starts' };
    found.push(...on.map((weekday) => ({ weekday, startsAt, endsAt, link: null })));
  }
  const meetings = found.toSorted((a, b) => a.weekday - b.weekday || a.startsAt.localeCompare(b.startsAt));
  const left = [...before];
  const take = (which: (one: TypedMeeting) => boolean) => left.splice(left.findIndex(which), 1)[0];
  const kept = meetings.map(({ weekday }) => (left.some((one) => one.weekday === weekday) ? take((one) => one.weekday === weekday) : null));
  for (const [at, meeting] of meetings.entries()) {
    const { id, link = before[0]?.link ?? null } = kept[at] ?? left.shift() ?? {};
    Object.assign(meeting, { link, ...(id !== undefined && { id }) });
  }
  return { meetings };
}
