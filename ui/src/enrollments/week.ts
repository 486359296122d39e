// A student's classes, by day and time where the student is.
import type { Enrollment, WeekClass } from '../api-types.ts';
import { schoolDay, type Zone, zonedText } from '../dates.ts';

/** Whether a student takes a course that has classes. */
export const hasClasses = (enrollments: readonly Enrollment[] | undefined) =>
  enrollments?.some(({ status, section }) => status === 'active' && section?.meetings.length) ?? false;

type ClassTimes = Pick<WeekClass, 'startsAt' | 'endsAt' | 'startsAtUtc'>;

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** When a class ends, in milliseconds: no clock changes during one. */
const endOf = ({ startsAt, endsAt, startsAtUtc }: ClassTimes) => Date.parse(startsAtUtc) + (minutesOf(endsAt) - minutesOf(startsAt)) * 60_000;

/** "01:00–02:30" in a time zone. */
export function timeText(when: ClassTimes, zone: Zone): string {
  const clock = (at_ms: number) => zonedText('en-GB', { hour: '2-digit', minute: '2-digit' }, zone, at_ms);
  return `${clock(Date.parse(when.startsAtUtc))}–${clock(endOf(when))}`;
}

export type ClassDay = { date: string; heading: string; classes: WeekClass[] };

/** The days with classes, in order; a class is on the day on which it begins in that time zone. */
export function daysOf(classes: readonly WeekClass[], zone: Zone): ClassDay[] {
  const days: ClassDay[] = [];
  for (const one of classes.toSorted((a, b) => Date.parse(a.startsAtUtc) - Date.parse(b.startsAtUtc))) {
    const at = Date.parse(one.startsAtUtc);
    const date = schoolDay(zone, new Date(at));
    if (days.at(-1)?.date === date) days.at(-1)?.classes.push(one);
    else days.push({ date, heading: zonedText('en-US', { weekday: 'long', month: 'long', day: 'numeric' }, zone, at), classes: [one] });
  }
  return days;
}

/** Whether a class has ended; a running one has not. */
export const isOver = (one: ClassTimes, now_ms: number) => endOf(one) <= now_ms;

/** The class that is running or comes next. */
export function nextClass(classes: readonly WeekClass[], now_ms: number): WeekClass | undefined {
  return classes.toSorted((a, b) => Date.parse(a.startsAtUtc) - Date.parse(b.startsAtUtc)).find((one) => !one.isCancelled && !isOver(one, now_ms));
}
