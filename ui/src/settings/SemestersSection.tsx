// The semesters by date, and whether public pages show fees.
import type { Semester } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { dateText } from '../dates.ts';
import { newRow, type SemesterRow } from './draft.ts';
import { AddButton, RowHead, Section } from './Section.tsx';
import type { Editor } from './useDraft.ts';
import { idOf } from './words.ts';

const max = 12;
const blank = { name: '', startDate: '', endDate: '', joinUntil: '' };

export function SemestersSection({ editor, proposed }: { editor: Editor; proposed: readonly Semester[] }) {
  const { semesters } = editor.draft;

  function begin(rows: readonly Omit<SemesterRow, 'key'>[]) {
    editor.change('semesters', (before) => [...before, ...rows.map(newRow)], 'semesters.new');
    editor.focusLater(idOf(`semesters.${semesters.length}.name`));
  }

  return (
    <Section
      id="semesters"
      title="Semesters"
      about={<p>Students choose one of these when they ask for a course, until its last day to join. The site says when the next one begins. Without any, students choose their own dates.</p>}
    >
      {semesters.length === 0 ? (
        <>
          <p>Suggested dates for the next three, not public until you use and publish them:</p>
          <ul>
            {proposed.map(({ name, startDate, endDate, joinUntil }) => (
              <li key={name}><strong>{name}</strong><span>{`: ${dateText(startDate, '')} to ${dateText(endDate, '')}, join until ${dateText(joinUntil, '')}`}</span></li>
            ))}
          </ul>
          <p><button type="button" className="button button-outline" onClick={() => begin(proposed)}>Use These Dates</button></p>
        </>
      ) : (
        <ul className="rows bare settings-rows">{semesters.map((row, at) => <SemesterFields key={row.key} editor={editor} row={row} at={at} />)}</ul>
      )}
      <AddButton part="semesters" count={semesters.length} max={max} words="Add a Semester" onAdd={() => begin([blank])} />
    </Section>
  );
}

function SemesterFields({ editor, row, at }: { editor: Editor; row: SemesterRow; at: number }) {
  const { name, startDate, endDate, joinUntil } = row;
  const field = (part: keyof typeof blank) => editor.field(`semesters.${at}.${part}`);
  const write = (part: keyof typeof blank) => ({ target }: { target: { value: string } }) => editor.changeRow('semesters', at, part, target.value);
  return (
    <li>
      <RowHead editor={editor} part="semesters" at={at} name={`Semester ${at + 1}`} isBlank={!name && !startDate && !endDate && !joinUntil} isInOrder />
      <div className="grid field-pair">
        <Field {...field('name')} label="Name">
          {(control) => <input {...control} type="text" value={name} maxLength={40} dir="auto" placeholder="Winter 2027" onChange={write('name')} />}
        </Field>
        <Field {...field('startDate')} label="First day">
          {(control) => <input {...control} type="date" value={startDate} onChange={write('startDate')} />}
        </Field>
        <Field {...field('endDate')} label="Last day">
          {(control) => <input {...control} type="date" value={endDate} min={startDate || undefined} onChange={write('endDate')} />}
        </Field>
        <Field {...field('joinUntil')} label="Last day to join">
          {(control) => <input {...control} type="date" value={joinUntil} min={startDate || undefined} max={endDate || undefined} onChange={write('joinUntil')} />}
        </Field>
      </div>
    </li>
  );
}

export function FeesSection({ editor }: { editor: Editor }) {
  return (
    <Section
      id="fees"
      title="Fees on the Website"
      about={<p>A student who asks for a course always sees its price. The public pages show it only if you say so; otherwise they say “Fees differ by delivery: ask the school”.</p>}
    >
      <label className="tick">
        <input type="checkbox" checked={editor.draft.showFees} onChange={({ target }) => editor.change('showFees', () => target.checked)} />
        <span>Show fees on the website</span>
      </label>
      <label className="tick">
        <input type="checkbox" checked={editor.draft.showSeats} onChange={({ target }) => editor.change('showSeats', () => target.checked)} />
        <span>Show how many seats a section has left</span>
      </label>
    </Section>
  );
}
