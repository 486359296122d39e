// Chooses where date, text and amount stand, beside the first lines of the file; once for each account.
import { useState } from 'react';
import { Field } from '../components/Field.tsx';
import type { Columns } from './bankQueries.ts';
import { headingsOf } from './bankQueries.ts';
import './bank.css';

/** `words` say why the columns are asked for. */
type BankColumnsProps = { words: string; rows: string[][]; isPending: boolean; onChosen: (columns: Columns) => void };

type Choice = { date: string; text: string; more: string; amount: string; credit: string; debit: string; dateFormat: string };

export function BankColumns({ words, rows, isPending, onChosen }: BankColumnsProps) {
  const headings = headingsOf(rows).map((name, at) => ({ number: at + 1, name }));
  const shown = rows.slice(0, 3).map((cells, at) => ({ number: at + 1, cells }));
  const [choice, setChoice] = useState<Choice>({ date: '', text: '', more: '', amount: '', credit: '', debit: '', dateFormat: '' });
  const [isTwo, setTwo] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const needed: (keyof Choice)[] = isTwo ? ['date', 'text', 'credit', 'debit'] : ['date', 'text', 'amount'];

  function submit() {
    setAsked(true);
    if (isPending || needed.some((name) => choice[name] === '')) return;
    const { date, text, more, amount, credit, debit, dateFormat } = choice;
    onChosen({ date, text: more ? `${text},${more}` : text, ...(isTwo ? { credit, debit } : { amount }), ...(dateFormat && { dateFormat }) });
  }

  const column = (name: keyof Choice, label: string) => (
    <Field id={`bank-${name}`} label={label} error={isAsked && needed.includes(name) && choice[name] === '' ? 'Choose a column' : undefined}>
      {(control) => (
        <select {...control} value={choice[name]} onChange={(event) => setChoice({ ...choice, [name]: event.target.value })}>
          <option value="">{name === 'more' ? 'None' : 'Choose...'}</option>
          {headings.map(({ number, name: heading }) => <option key={number} value={String(number)}>{`${number}: ${heading || '(empty)'}`}</option>)}
        </select>
      )}
    </Field>
  );
  return (
    <form
      className="stack"
      aria-labelledby="bank-columns"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <h3 id="bank-columns">Match the Columns</h3>
      <p>{words}</p>
      <table className="table bank-preview" aria-labelledby="bank-columns">
        <thead><tr><th scope="col">Column</th>{shown.map(({ number }) => <th key={number} scope="col">{`Line ${number}`}</th>)}</tr></thead>
        <tbody>
          {headings.map(({ number }) => (
            <tr key={number}><th scope="row">{number}</th>{shown.map((row) => <td key={row.number} dir="auto">{row.cells[number - 1]}</td>)}</tr>
          ))}
        </tbody>
      </table>
      <div className="grid field-pair">
        {column('date', 'Date')}
        <Field id="bank-dateFormat" label="Order of the date" error={undefined}>
          {(control) => (
            <select {...control} value={choice.dateFormat} onChange={(event) => setChoice({ ...choice, dateFormat: event.target.value })}>
              <option value="">As written, month first</option>
              <option value="dmy">Day, month, year</option>
              <option value="mdy">Month, day, year</option>
              <option value="ymd">Year, month, day</option>
            </select>
          )}
        </Field>
        {column('text', 'Text')}
        {column('more', 'More text (optional)')}
        {isTwo ? <>{column('credit', 'Money in')}{column('debit', 'Money out')}</> : column('amount', 'Amount')}
      </div>
      <label className="tick"><input type="checkbox" checked={isTwo} onChange={(event) => setTwo(event.target.checked)} /> Money in and money out have a column each</label>
      <div className="cluster"><button type="submit" className="button button-primary" aria-disabled={isPending}>{isPending ? 'Importing...' : 'Import'}</button></div>
    </form>
  );
}
