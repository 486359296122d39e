// This week's classes in the student's own time zone, with their links, and a calendar for other programs.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { WeekClass } from '../api-types.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { addDays, dateText, dayNumber, isOldBrowser, placeOf, readersZone, schoolDay, type Zone } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { calendarQuery, renewCalendar, weekQuery } from './queries.ts';
import { daysOf, isOver, nextClass, timeText } from './week.ts';

export function WeekCard() {
  const { timeZone: school } = useSchool();
  const day = schoolDay(school);
  const [weeks, setWeeks] = useState(0);
  const week = useQuery(weekQuery(addDays(day, weeks * 7)));
  const heading = useRef<HTMLHeadingElement>(null);
  const [now_ms, setNow] = useState(Date.now);
  useEffect(() => {
    const clock = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(clock);
  }, []);
  const own = readersZone(school);
  // An old browser may be wrong about any zone, and then the school's hours come first.
  const isOld = week.data?.some(({ startsAtUtc }) => isOldBrowser(school, startsAtUtc)) ?? false;
  const zone = isOld ? school : own;
  const other = own === school ? null : isOld ? own : school;
  const days = daysOf(week.data ?? [], zone);
  const next = nextClass(week.data ?? [], now_ms);
  const title = weeks === 0 ? 'This Week' : weeks === 1 ? 'Next Week' : `Week of ${dateText(mondayOf(addDays(day, weeks * 7)), '')}`;
  return (
    <section className="card" aria-labelledby="week">
      <div className="row card-head">
        <h2 id="week" ref={heading} tabIndex={-1}>{title}</h2>
        <div className="cluster week-turn">
          {weeks > 0 && <button type="button" className="button button-quiet" onClick={() => setWeeks(weeks - 1)}>Previous Week</button>}
          <button type="button" className="button button-quiet" onClick={() => setWeeks(weeks + 1)}>Next Week</button>
        </div>
      </div>
      {week.isPending && <Spinner label="Loading your classes..." />}
      {week.isError && <LoadFailed words="Failed to load your classes. Please try again later." query={week} heading={heading} />}
      {week.data?.length === 0 && <p className="muted" role="status">No classes in this week.</p>}
      {days.length > 0 && (
        <ul className="rows bare week">
          {days.map(({ date, heading: name, classes }) => (
            <li key={date}>
              <h3>{name}</h3>
              <ul>{classes.map((one) => <li key={`${one.startsAtUtc}-${one.course.code}`}><Class of={one} zone={zone} other={other} isNext={one === next} isPast={isOver(one, now_ms)} /></li>)}</ul>
            </li>
          ))}
        </ul>
      )}
      <p className="fine-print">
        {isOld && <strong>Your browser’s time-zone rules are older than the school’s: update it. </strong>}
        <span>{`Times are in ${clockOf(zone)}${other ? `; ${isOld ? `those in ${clockOf(other)} may be wrong` : `the school’s are in ${clockOf(other)}`}` : ''}.`}</span>
      </p>
      <Calendar />
    </section>
  );
}

function Class({ of: { course, section, link, isCancelled, ...when }, zone, other, isNext, isPast }: { of: WeekClass; zone: Zone; other: Zone | null; isNext: boolean; isPast: boolean }) {
  const there = other && `${timeText(when, other)} in ${placeOf(other.name)}`;
  return (
    <div className="row">
      <div>
        {isCancelled ? <del>{timeText(when, zone)}</del> : <strong>{timeText(when, zone)}</strong>}
        <span dir="auto">{` ${course.name} (${course.code} ${section.label}) `}</span>
        {isCancelled && <span className="badge tone-red">Cancelled</span>}
        {isNext && <span className="badge tone-green">Next</span>}
        <small dir="auto">{[there, section.teacherName].filter(Boolean).join(' · ')}</small>
      </div>
      {link && !isCancelled && !isPast && <a className={`button ${isNext ? 'button-primary' : 'button-outline'}`} href={link} target="_blank" rel="noreferrer" aria-label={`Open the class of ${course.code}`}>Open Class</a>}
    </div>
  );
}

const clockOf = ({ name }: Zone) => (name === 'UTC' ? name : `${placeOf(name)} time`);

/** The Monday of a date's week; 1970-01-01 was a Thursday. */
const mondayOf = (date: string) => addDays(date, -(((dayNumber(date) ?? 0) + 3) % 7));

/** The address of the student's calendar, which is a secret. */
function Calendar() {
  const [isOpen, setOpen] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const calendar = useQuery({ ...calendarQuery, enabled: isOpen });
  const input = useRef<HTMLInputElement>(null);
  const renewing = useAction({
    mutationFn: renewCalendar,
    onSuccess: async () => {
      await calendar.refetch();
      flushSync(() => setAsking(false));
      showToast('New address', 'The old one no longer works. Add the new one to your calendar.');
      input.current?.focus();
    },
    onError: () => showFailure('The address was not changed', 'Please try again.'),
  });

  async function copy() {
    try {
      await navigator.clipboard.writeText(calendar.data?.url ?? '');
      showToast('Address copied');
    } catch {
      // Not allowed: it is selected, to be copied by key.
      input.current?.select();
    }
  }

  return (
    <details className="week-calendar" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Add your classes to a calendar</summary>
      {calendar.isError && <p role="alert">The address could not be loaded. Please try again later.</p>}
      {calendar.data && (
        <>
          <label htmlFor="calendar-address">Address of your calendar</label>
          <input id="calendar-address" ref={input} readOnly value={calendar.data.url} onFocus={(event) => event.target.select()} aria-describedby="calendar-hint" />
          <p className="fine-print" id="calendar-hint">Subscribe to it in Google Calendar, Apple Calendar or Outlook. Anyone who has it can read your schedule. Links to online classes are in the portal only.</p>
          <p className="cluster">
            <button type="button" className="button button-outline" onClick={() => void copy()}>Copy Address</button>
            <button type="button" className="button button-quiet" onClick={() => setAsking(true)}>New Address…</button>
          </p>
        </>
      )}
      {isAsking && (
        <ConfirmDialog title="Get a new address?" confirmLabel="Get a New Address" isPending={renewing.isPending} onConfirm={() => renewing.run()} onClose={() => setAsking(false)}>
          <p>Calendars with the old address stop updating.</p>
        </ConfirmDialog>
      )}
    </details>
  );
}
