// Office hours, and the universities that accepted graduates; from the configuration unless set here.
import { Field } from '../components/Field.tsx';
import type { Day, SettingsPage } from '../api-types.ts';
import { type HoursRow, linesOf, newRow } from './draft.ts';
import { AddButton, RowHead, Section } from './Section.tsx';
import type { Editor } from './useDraft.ts';
import { idOf, universitiesError } from './words.ts';

type Defaults = SettingsPage['defaults'];

const max = 7;

const days: Record<Day, string> = {
  monday: 'Monday',
  tuesday: 'Tuesday',
  wednesday: 'Wednesday',
  thursday: 'Thursday',
  friday: 'Friday',
  saturday: 'Saturday',
  sunday: 'Sunday',
};

const week = Object.keys(days) as Day[];
const workdays = week.slice(0, 5);

export function HoursSection({ editor, defaults }: { editor: Editor; defaults: Defaults }) {
  const { hours } = editor.draft;

  function add() {
    const row = { days: hours.length === 0 ? workdays : [], opens: '08:30', closes: '16:30' };
    editor.change('hours', (rows) => [...rows, newRow(row)], 'hours.new');
    editor.focusLater(idOf(`hours.${hours.length}.days`));
  }

  return (
    <Section id="hours" title="Office Hours" about={<p>When the office is open: on the contact page, in the footer, and for search engines.</p>}>
      {hours.length === 0
        ? <p>As the configuration says: <strong>{defaults.hours}</strong></p>
        : <ul className="rows bare settings-rows">{hours.map((row, at) => <Hours key={row.key} editor={editor} row={row} at={at} />)}</ul>}
      <AddButton part="hours" count={hours.length} max={max} words={hours.length === 0 ? 'Write Your Own Hours' : 'Add Hours'} onAdd={add} />
    </Section>
  );
}

function Hours({ editor, row, at }: { editor: Editor; row: HoursRow; at: number }) {
  const { id, error } = editor.field(`hours.${at}.days`);
  const choose = (day: Day, isChosen: boolean) =>
    editor.changeRow('hours', at, 'days', week.filter((each) => (each === day ? isChosen : row.days.includes(each))));
  return (
    <li>
      <RowHead editor={editor} part="hours" at={at} name={`Hours ${at + 1}`} isBlank={row.days.length === 0} />
      <fieldset aria-describedby={error && `${id}-error`}>
        <legend className="sr-only">Days</legend>
        <div className="cluster">
          {week.map((day, place) => (
            <label className="tick" key={day}>
              <input
                id={place === 0 ? id : undefined}
                type="checkbox"
                checked={row.days.includes(day)}
                aria-invalid={error ? true : undefined}
                onChange={(event) => choose(day, event.target.checked)}
              />
              <span>{days[day]}</span>
            </label>
          ))}
        </div>
        {error && <p className="field-error" id={`${id}-error`}>{error}</p>}
      </fieldset>
      <div className="grid field-pair">
        {(['opens', 'closes'] as const).map((name) => (
          <Field key={name} {...editor.field(`hours.${at}.${name}`)} label={name === 'opens' ? 'Opens' : 'Closes'}>
            {(control) => <input {...control} type="time" value={row[name]} onChange={(event) => editor.changeRow('hours', at, name, event.target.value)} />}
          </Field>
        ))}
      </div>
    </li>
  );
}

export function UniversitiesSection({ editor, defaults }: { editor: Editor; defaults: Defaults }) {
  const { universities } = editor.draft;
  const id = idOf('universities');
  const choose = (value: string | null) => {
    editor.change('universities', () => value);
    editor.focusLater(value === null ? 'universities' : id);
  };
  return (
    <Section id="universities" title="Universities" about={<p>Universities that accepted graduates, on the home page.</p>}>
      {universities === null ? (
        <>
          <p>As the configuration says: <strong>{defaults.universities.join(', ') || 'none'}</strong></p>
          <button type="button" className="button button-outline" onClick={() => choose(defaults.universities.join('\n'))}>Write Your Own List</button>
        </>
      ) : (
        <>
          <Field id={id} label="One per line" hint={`${linesOf(universities).length} of at most 60; leave it empty to take the list off the site.`} error={universitiesError(editor.errors)}>
            {(control) => <textarea {...control} value={universities} rows={8} dir="auto" onChange={({ target }) => editor.change('universities', () => target.value)} />}
          </Field>
          <button type="button" className="button button-quiet" onClick={() => choose(null)}>Back to the Configuration’s List</button>
        </>
      )}
    </Section>
  );
}
