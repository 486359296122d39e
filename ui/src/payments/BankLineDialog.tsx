// Says whose a line of the bank is: one student's, or divided among several.
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { BankLine } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { isLongEnough, searchQuery } from '../staff/search.ts';
import type { PostedLine } from './bankQueries.ts';

type BankLineDialogProps = {
  line: BankLine & { id: number };
  isPending: boolean;
  onChosen: (parts: PostedLine[]) => Promise<void>;
  onClose: () => void;
};

type Part = { id: number; name: string; amount: string };

export function BankLineDialog({ line, isPending, onChosen, onClose }: BankLineDialogProps) {
  const [parts, setParts] = useState<Part[]>([]);
  const [q, setQ] = useState('');
  // Keeps the focus whose button leaves.
  const search = useRef<HTMLInputElement>(null);
  const asked = q.trim();
  const { data, isFetching } = useQuery(searchQuery(asked));
  const found = isLongEnough(asked) ? (data?.students.filter(({ id }) => !parts.some((part) => part.id === id)) ?? []) : [];
  const lineId = line.id;
  const isDivided = parts.length > 1;
  const { leave, question } = useUnsavedChanges(parts.length > 0 && !isPending);
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
    void onChosen(parts.map(({ id, amount }) => ({ lineId, studentId: id, ...(isDivided && { amount }) })));
  };
  return (
    <Dialog title={`Whose Is ${moneyText(line.amount, '')}?`} isWide onClose={close}>
      <p><span dir="auto">{line.text}</span><span className="muted">{` · ${dateText(line.date, '')}`}</span></p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {parts.map((part, at) => (
          <div className="row" key={part.id}>
            <strong><bdi>{part.name}</bdi></strong>
            {isDivided && (
              <Field id={`part-${part.id}`} label={`Amount of ${part.name}`} error={undefined}>
                {(control) => (
                  <input {...control} type="text" inputMode="decimal" autoComplete="off" value={part.amount} onChange={(event) => setParts(parts.map((one, place) => (place === at ? { ...one, amount: event.target.value } : one)))} />
                )}
              </Field>
            )}
            <button type="button" className="button button-quiet" aria-label={`Remove ${part.name}`} onClick={() => remove(at)}>Remove</button>
          </div>
        ))}
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
        <div className="cluster form-actions">
          <button type="button" className="button button-quiet" onClick={close}>Cancel</button>
          <button type="submit" className="button button-primary" disabled={parts.length === 0} aria-disabled={isPending}>{isPending ? 'Recording...' : isDivided ? `Record ${parts.length} Payments` : 'Record Payment'}</button>
        </div>
      </form>
      {question}
    </Dialog>
  );
}
