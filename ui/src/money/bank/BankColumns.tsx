// Asks what a file leaves open, beside its first lines: where date, text and amount stand, the order of its dates, or which of
// its accounts is meant. Once for each account.
import { useEffect, useRef, useState } from 'react';
import type { Elements } from '../../components/elements.ts';
import { Field } from '../../components/Field.tsx';
import type { Asked, Columns } from './bankQueries.ts';
import { headingsOf } from './bankQueries.ts';
import './bank.css';

/** `words` say why it is asked. */
type BankColumnsProps = { words: string; asked: Asked; isPending: boolean; onChosen: (columns: Columns) => void };

type Choice = { date: string; text: string; more: string; amount: string; credit: string; debit: string; direction: string; dateFormat: string };

export function BankColumns(props: BankColumnsProps) {
  return props.asked.asks === 'account' ? <BankAccounts {...props} /> : <ColumnFields {...props} />;
}

/** The form of what is asked. */
function AskedForm({ title, words, isPending, onSubmit, children }: { title: string; words: string; isPending: boolean; onSubmit: () => void; children: Elements }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <form
      className="stack"
      aria-labelledby="bank-columns"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) onSubmit();
      }}
    >
      <h3 id="bank-columns" ref={heading} tabIndex={-1}>{title}</h3>
      <p role="status">{words}</p>
      {children}
      <div className="cluster"><button type="submit" className="button button-primary" aria-disabled={isPending}>{isPending ? 'Importing...' : 'Import'}</button></div>
    </form>
  );
}

function BankAccounts({ words, asked: { accounts }, isPending, onChosen }: BankColumnsProps) {
  const [accountNumber, setNumber] = useState(accounts?.[0]?.number ?? '');
  return (
    <AskedForm title="Choose the Account" words={words} isPending={isPending} onSubmit={() => onChosen({ accountNumber })}>
      <Field id="bank-account-number" label="Account of the file" error={undefined}>
        {(control) => (
          <select {...control} value={accountNumber} onChange={(event) => setNumber(event.target.value)}>
            {accounts?.map(({ number, lines }) => <option key={number} value={number}>{`${number} · ${lines === 1 ? '1 line' : `${lines} lines`}`}</option>)}
          </select>
        )}
      </Field>
    </AskedForm>
  );
}

const orders = { '': 'As the file says', dmy: 'Day, month, year', mdy: 'Month, day, year', ymd: 'Year, month, day' };

type DateOrderProps = { id: string; label: string; value: string; error?: string | undefined; onChange: (order: string) => void };

export function DateOrder({ id, label, value, error, onChange }: DateOrderProps) {
  return (
    <Field id={id} label={label} error={error}>
      {(control) => (
        <select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          {Object.entries(orders).map(([order, name]) => <option key={order} value={order}>{name}</option>)}
        </select>
      )}
    </Field>
  );
}

function ColumnFields({ words, asked: { asks, rows, chosen }, isPending, onChosen }: BankColumnsProps) {
  const headings = headingsOf(rows).map((name, at) => ({ number: at + 1, name }));
  const shown = rows.slice(0, 5).map((cells, at) => ({ number: at + 1, cells }));
  const [choice, setChoice] = useState<Choice>(() => {
    const [text = '', ...more] = (chosen?.text ?? '').split(',');
    const of = (name: string | undefined) => numberOf(name ?? '', headings.map((heading) => heading.name));
    if (!chosen) return guessed(headings);
    const { date, amount, credit, debit, direction, dateFormat } = chosen;
    return { date: of(date), text: of(text), more: more.map(of).filter(Boolean).join(','), amount: of(amount), credit: of(credit), debit: of(debit), direction: of(direction), dateFormat: dateFormat ?? '' };
  });
  const [isTwo, setTwo] = useState(choice.credit !== '');
  const [isAsked, setAsked] = useState(false);
  const needed: (keyof Choice)[] = [...(isTwo ? (['date', 'text', 'credit', 'debit'] as const) : (['date', 'text', 'amount'] as const)), ...(asks === 'dateFormat' ? (['dateFormat'] as const) : [])];

  function submit() {
    setAsked(true);
    if (needed.some((name) => choice[name] === '')) return;
    const { date, text, more, amount, credit, debit, direction, dateFormat } = choice;
    const sums = isTwo ? { credit, debit } : { amount, ...(direction && { direction }) };
    onChosen({ date, text: more ? `${text},${more}` : text, ...sums, ...(dateFormat && { dateFormat }) });
  }

  const missing = (name: keyof Choice, message: string) => (isAsked && needed.includes(name) && choice[name] === '' ? message : undefined);
  const column = (name: keyof Choice, label: string) => (
    <Field id={`bank-${name}`} label={label} error={missing(name, 'Choose a column')}>
      {(control) => (
        <select {...control} value={choice[name]} onChange={(event) => setChoice({ ...choice, [name]: event.target.value })}>
          <option value="">{needed.includes(name) ? 'Choose...' : 'None'}</option>
          {choice[name].includes(',') && <option value={choice[name]}>{choice[name]}</option>}
          {headings.map(({ number, name: heading }) => <option key={number} value={String(number)}>{`${number}: ${heading || '(empty)'}`}</option>)}
        </select>
      )}
    </Field>
  );
  return (
    <AskedForm title="Match the Columns" words={words} isPending={isPending} onSubmit={submit}>
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
        <DateOrder id="bank-dateFormat" label="Order of the date" value={choice.dateFormat} error={missing('dateFormat', 'Choose an order')} onChange={(dateFormat) => setChoice({ ...choice, dateFormat })} />
        {column('text', 'Text')}
        {column('more', 'More text (optional)')}
        {isTwo ? <>{column('credit', 'Money in')}{column('debit', 'Money out')}</> : <>{column('amount', 'Amount')}{column('direction', 'In or out, in a word (optional)')}</>}
      </div>
      <label className="tick"><input type="checkbox" checked={isTwo} onChange={(event) => setTwo(event.target.checked)} /> Money in and money out have a column each</label>
    </AskedForm>
  );
}

const plain = (text: string) => text.trim().toLowerCase().normalize('NFD').replace(/[\u0300-\u036f'’-]/g, '');

/** Words in headings, in English and French; `plain` has taken their accents. */
const headingWords = { date: /\bdate\b/, text: /descri|detail|memo|libelle|payee|beneficiaire/, amount: /amount|montant/, credit: /credit|deposit|depot|money in|funds in/, debit: /debit|withdraw|retrait|money out|funds out/ };

/** What the headings of a file say that was never imported: the first choice, which a person confirms. */
function guessed(headings: readonly { number: number; name: string }[]): Choice {
  const those = (kind: keyof typeof headingWords) => headings.filter(({ name }) => headingWords[kind].test(plain(name)) && !/balance|solde/.test(plain(name)));
  const first = (kind: keyof typeof headingWords) => String(those(kind)[0]?.number ?? '');
  // Of two columns of amounts none is guessed.
  const only = (kind: keyof typeof headingWords) => (those(kind).length === 1 ? first(kind) : '');
  const credit = only('credit');
  const debit = only('debit');
  const isTwo = credit !== '' && debit !== '' && credit !== debit;
  return { date: first('date'), text: first('text'), more: '', amount: isTwo ? '' : only('amount'), credit: isTwo ? credit : '', debit: isTwo ? debit : '', direction: '', dateFormat: '' };
}

/** The number of a column that is called so, or that is a number already; empty where the file has none. */
function numberOf(name: string, headings: readonly string[]): string {
  const at = headings.findIndex((heading) => plain(heading) === plain(name));
  if (name !== '' && at >= 0) return String(at + 1);
  return /^\d+$/.test(name) && Number(name) <= headings.length ? name : '';
}
