// Asks which columns the headings of a file are that no column has.
import { type FormEvent, useState } from 'react';
import type { ColumnChoice, Imported } from './importing.ts';

type MatchColumnsProps = { asked: Pick<Imported, 'unknown' | 'columns'>; columnName: (column: string) => string; onMatched: (matched: ColumnChoice) => void };

export function MatchColumns({ asked: { unknown, columns }, columnName, onMatched }: MatchColumnsProps) {
  const [chosen, setChosen] = useState<ColumnChoice>({});
  // What is not chosen is left out.
  const matched = Object.fromEntries(unknown.map(({ heading }) => [heading, chosen[heading] ?? '']));
  return (
    <form
      aria-labelledby="match-columns"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onMatched(matched);
      }}
    >
      <h3 id="match-columns">Which Columns Are These?</h3>
      <p>These headings are not known. Choose what each is, or leave it out.</p>
      {unknown.map(({ heading, sample }) => (
        <label key={heading}>
          <span><strong dir="auto">{heading}</strong>{sample && <small className="muted" dir="auto">{` ${sample}`}</small>}</span>
          <select value={matched[heading]} onChange={(event) => setChosen({ ...chosen, [heading]: event.target.value })}>
            <option value="">Leave out</option>
            {columns.filter((column) => column === matched[heading] || !Object.values(matched).includes(column)).map((column) => <option key={column} value={column}>{columnName(column)}</option>)}
          </select>
        </label>
      ))}
      <button type="submit" className="button button-primary">Use These Columns</button>
    </form>
  );
}
