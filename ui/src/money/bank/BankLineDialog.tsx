// Assigns a line of the bank to a student, or divides it among several.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { BankLine, KnownPayment, PaymentMethod } from '../../api-types.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { ErrorSummary } from '../../components/ErrorSummary.tsx';
import { Field } from '../../components/Field.tsx';
import { Notice } from '../../components/Notice.tsx';
import { SearchBox } from '../../components/SearchBox.tsx';
import { useUnsavedChanges } from '../../components/useUnsavedChanges.tsx';
import { optionsOf } from '../../closedSets.ts';
import { dateText } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { isLongEnough, searchQuery } from '../../staff/search.ts';
import type { PostedLine } from './bankQueries.ts';
import { centsOf } from '../payments/division.ts';
import { methods } from '../words.ts';
import './bankLines.css';
import '../payments/DivisionFields.css';

type BankLineDialogProps = {
  line: BankLine & { id: number };
  /** What the chosen student's payment is that it looks like. */
  looksLike: KnownPayment | null;
  isPending: boolean;
  onChosen: (parts: PostedLine[]) => void;
  onClose: () => void;
};

type Part = { id: number; name: string; amount: string };

export function BankLineDialog({ line, looksLike: known, isPending, onChosen, onClose }: BankLineDialogProps) {
  const [parts, setParts] = useState<Part[]>(() => suggested(line));
  const [method, setMethod] = useState(line.method);
  const [q, setQ] = useState('');
  const [attempt, setAttempt] = useState(0);
  // Has the focus first, and keeps it when a pressed button leaves.
  const search = useRef<HTMLInputElement>(null);
  const asked = q.trim();
  const { data, isFetching } = useQuery(searchQuery(asked));
  const found = isLongEnough(asked) ? (data?.students.filter(({ id }) => !parts.some((part) => part.id === id)) ?? []) : [];
  const lineId = line.id;
  // Of another student it is other money.
  const looksLike = known && parts.length === 1 && parts[0]?.id === known.studentId ? known : null;
  const isDivided = parts.length > 1;
  const left_cents = Math.round(line.amount * 100) - parts.reduce((sum, { amount }) => sum + (centsOf(amount) ?? 0), 0);
  const problems = isDivided ? problemsOf(parts, line.amount, left_cents) : {};
  const errors = attempt > 0 ? problems : {};
  useEffect(() => search.current?.focus(), []);
  const { leave, question } = useUnsavedChanges(!isPending && JSON.stringify(parts) !== JSON.stringify(suggested(line)));
  const close = () => !isPending && leave(onClose);
  const add = (id: number, name: string) => {
    setParts([...parts, { id, name, amount: '' }]);
    setQ('');
    search.current?.focus();
  };
  const remove = (at: number) => {
    setParts(parts.filter((_, place) => place !== at));
    search.current?.focus();
  };
  const send = () => {
    if (isPending || parts.length === 0) return;
    if (Object.keys(problems).length > 0) return setAttempt(attempt + 1);
    const how = method === line.method ? {} : { method };
    // Who chooses has seen what it looks like.
    const again = line.known ?? looksLike ? { again: true } : {};
    onChosen(parts.map(({ id, amount }) => ({ lineId, studentId: id, ...how, ...again, ...(isDivided && { amount }) })));
  };
  return (
    <Dialog title={`Assign ${moneyText(line.amount, '')}`} isWide onClose={close}>
      <p><span dir="auto">{line.text}</span><span className="muted">{` · ${dateText(line.date, '')}`}</span></p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <ErrorSummary errors={Object.entries(errors).map(([id, message]) => ({ id, message }))} attempt={attempt} />
        <ul className="rows bare division">
          {parts.map((part, at) => {
            const id = `part-${part.id}`;
            return (
              <li key={part.id}>
                <div className="row bank-part">
                  {isDivided ? <label htmlFor={id}><span className="sr-only">Amount of </span><bdi>{part.name}</bdi></label> : <strong><bdi>{part.name}</bdi></strong>}
                  {isDivided && (
                    <input
                      id={id}
                      type="text"
                      inputMode="decimal"
                      autoComplete="off"
                      placeholder="0.00"
                      aria-invalid={errors[id] ? true : undefined}
                      aria-describedby={errors[id] && `${id}-error`}
                      value={part.amount}
                      onChange={(event) => setParts(parts.map((one, place) => (place === at ? { ...one, amount: event.target.value } : one)))}
                    />
                  )}
                  <button type="button" className="button button-quiet" aria-label={`Remove ${part.name}`} onClick={() => remove(at)}>Remove</button>
                </div>
                {errors[id] && <p className="field-error" id={`${id}-error`}>{errors[id]}</p>}
              </li>
            );
          })}
        </ul>
        {isDivided && <p role="status">{left_cents < 0 ? `${moneyText(-left_cents / 100, '')} more than the line` : `${moneyText(left_cents / 100, '')} left to divide`}</p>}
        <SearchBox label={parts.length === 0 ? 'Search students...' : 'Divide it with another student...'} value={q} onChange={setQ} ref={search} />
        <ul className="rows bare">
          {found.map(({ id, name, number, email }) => (
            <li className="row" key={id}>
              <span><bdi>{name}</bdi> <small className="muted">{[number, email].filter(Boolean).join(' · ')}</small></span>
              <button type="button" className="button button-outline" aria-label={`Choose ${name}`} onClick={() => add(id, name)}>Choose</button>
            </li>
          ))}
        </ul>
        <p className="muted" role="status">{isLongEnough(asked) && data && !isFetching && found.length === 0 && 'No student matches'}</p>
        <Field id="bank-method" label="Method" error={undefined}>
          {(control) => (
            <select {...control} value={method} onChange={(event) => setMethod(event.target.value as PaymentMethod)}>
              {optionsOf(methods).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
            </select>
          )}
        </Field>
        {looksLike && (
          <Notice kind="plain">
            <p>{`It looks like receipt ${looksLike.receiptNumber}, ${dateText(looksLike.receivedOn, '')}. Record it only if it was paid twice.`}</p>
          </Notice>
        )}
        <div className="cluster form-actions">
          <button type="button" className="button button-quiet" onClick={close}>Cancel</button>
          <button type="submit" className="button button-primary" disabled={parts.length === 0} aria-disabled={isPending}>{isPending ? 'Recording...' : looksLike ? 'Record All the Same' : isDivided ? `Record ${parts.length} Payments` : 'Record Payment'}</button>
        </div>
      </form>
      {question}
    </Dialog>
  );
}

/** The students that a line may be divided among, each with what is owed while the line lasts. */
function suggested({ division, amount }: BankLine): Part[] {
  let left_cents = Math.round(amount * 100);
  return division.map(({ studentId, studentName, owes }) => {
    const part_cents = Math.min(left_cents, Math.round(owes * 100));
    left_cents -= part_cents;
    return { id: studentId, name: studentName, amount: part_cents > 0 ? (part_cents / 100).toFixed(2) : '' };
  });
}

/** What is wrong with the parts of a line, by the id of the field. */
function problemsOf(parts: readonly Part[], whole: number, left_cents: number): Record<string, string> {
  const wrong = parts.filter(({ amount }) => !((centsOf(amount) ?? 0) > 0));
  if (wrong.length > 0) return Object.fromEntries(wrong.map(({ id, name }) => [`part-${id}`, `Write the amount of ${name} like 120.50`]));
  if (left_cents === 0) return {};
  const last = parts.at(-1)?.id;
  return { [`part-${last}`]: `The amounts add up to ${moneyText(whole - left_cents / 100, '')}, but the line is ${moneyText(whole, '')}` };
}
