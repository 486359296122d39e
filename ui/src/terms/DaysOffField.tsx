// The days off of a term: the chosen ones, each or each range removable, and a day or a range to add. A list can be pasted.
import { type KeyboardEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Field } from '../components/Field.tsx';
import { Icon } from '../components/Icon.tsx';
import { daysOffText, readDaysOff, runsOf, runText } from './daysOff.ts';

type DaysOffFieldProps = {
  /** Of the text, as typed or pasted. */
  field: { id: string; error: string | undefined };
  text: string;
  term: { startsOn: string; endsOn: string };
  onChange: (text: string) => void;
};

export function DaysOffField({ field, text, term, onChange }: DaysOffFieldProps) {
  const [from, setFrom] = useState('');
  const [until, setUntil] = useState('');
  const [problem, setProblem] = useState('');
  const first = useRef<HTMLInputElement>(null);
  const { dates, unread } = readDaysOff(text);
  const keep = (kept: readonly string[]) => onChange([daysOffText(kept), ...unread].filter(Boolean).join('\n'));

  function add() {
    const added = readDaysOff(until ? `${from} to ${until}` : from);
    if (!from || added.unread.length > 0) {
      setProblem(from ? 'The last day must not be before the first, nor more than 120 days after it' : 'Choose a day');
    } else {
      setProblem('');
      setFrom('');
      setUntil('');
      keep([...new Set([...dates, ...added.dates])].toSorted());
    }
    first.current?.focus();
  }

  function remove([start, end]: [string, string]) {
    flushSync(() => keep(dates.filter((date) => date < start || date > end)));
    first.current?.focus();
  }

  /** Adds the day instead of saving the term. */
  function addByKey(event: KeyboardEvent) {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  }

  return (
    <fieldset>
      <legend>Days off</legend>
      <p className="muted" role="status">{dates.length === 0 ? 'None yet.' : `${dates.length === 1 ? '1 day' : `${dates.length} days`} without classes:`}</p>
      <ul className="rows bare term-days">
        {runsOf(dates).map((run) => (
          <li className="row" key={run[0]}>
            <span>
              <span>{runText(run)}</span>
              {term.startsOn && term.endsOn && (run[0] < term.startsOn || run[1] > term.endsOn) && <small className="flag"> outside of the term</small>}
            </span>
            <button type="button" className="button button-quiet" aria-label={`Remove ${runText(run)}`} onClick={() => remove(run)}><Icon name="trash" /></button>
          </li>
        ))}
      </ul>
      <div className="grid field-pair term-dates">
        <Field id={`${field.id}-from`} label="From" error={problem}>
          {(control) => <input {...control} ref={first} type="date" value={from} min={term.startsOn} max={term.endsOn} onChange={({ target }) => setFrom(target.value)} onKeyDown={addByKey} />}
        </Field>
        <Field id={`${field.id}-until`} label="To (for several days)" error={undefined}>
          {(control) => <input {...control} type="date" value={until} min={from || term.startsOn} max={term.endsOn} onChange={({ target }) => setUntil(target.value)} onKeyDown={addByKey} />}
        </Field>
      </div>
      <p><button type="button" className="button button-outline" onClick={add}><Icon name="plus" /> Add Days Off</button></p>
      <details className="fold" open={field.error !== undefined || undefined}>
        <summary>Paste a list</summary>
        <Field {...field} label="Days off as a list" hint="One date or range a line, such as 2026-12-21 to 2027-01-01.">
          {(control) => <textarea {...control} value={text} rows={6} spellCheck={false} onChange={({ target }) => onChange(target.value)} />}
        </Field>
      </details>
    </fieldset>
  );
}
