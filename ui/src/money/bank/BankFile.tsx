// Takes the bank's file: chosen or dropped, and its columns once, if its format is not recognized.
import { type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import { ApiError, failureWords } from '../../api.ts';
import type { BankStatement } from '../../api-types.ts';
import { Field } from '../../components/Field.tsx';
import { Icon } from '../../components/Icon.tsx';
import { Notice } from '../../components/Notice.tsx';
import { showFailure, showToast } from '../../components/toasts.ts';
import { useAction } from '../../components/useAction.ts';
import { newKey } from '../../once.ts';
import { BankColumns, DateOrder } from './BankColumns.tsx';
import { askedOf, type BankUpload, type Columns, forgetColumns } from './bankQueries.ts';
import { BankSteps, type Step } from './BankSteps.tsx';
import { moneyKey } from '../moneyQueries.ts';
import '../../documents/documents.css';
import './bank.css';

type BankFileProps = {
  step: Step;
  account: string;
  importing: UseMutationResult<BankStatement, Error, BankUpload>;
  /** While lines of an earlier file wait, which are what the office came for. */
  isFolded: boolean;
  onImported: (id: number) => void;
};

export function BankFile({ step, account, importing, isFolded, onImported }: BankFileProps) {
  const client = useQueryClient();
  // At first, and with each file: the card does not open by itself below the pointer that decided the last line.
  const [wasFolded] = useState(isFolded);
  const card = useRef<HTMLDetailsElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [order, setOrder] = useState('');
  // What was answered already, for what is asked next.
  const [sent, setSent] = useState<Columns>({});
  const forgetting = useAction({
    mutationFn: forgetColumns,
    onSuccess: (_, of) => showToast('Columns forgotten', `The next file of “${of}” asks for them, unless its bank is known.`),
    onError: (error) => showFailure('The columns were not forgotten', failureWords(error, 'Please try again.')),
  });
  const key = useRef('');
  const name = typed ?? account;

  function choose(files: FileList | null) {
    const chosen = files?.[0];
    if (!chosen || importing.isPending) return;
    setFile(chosen);
    void send(chosen, order ? { dateFormat: order } : {});
  }

  async function send(chosen: File, columns: Columns) {
    key.current = newKey();
    setSent(columns);
    try {
      const { id, lines, leftOut } = await importing.mutateAsync({ key: key.current, file: chosen, account: name, columns });
      if (lines.length > 0) card.current?.removeAttribute('open');
      // The form of the columns, which may have the focus, leaves.
      card.current?.querySelector('summary')?.focus();
      setFile(null);
      importing.reset();
      await client.invalidateQueries({ queryKey: moneyKey });
      const left = leftOut.length > 0 ? ` ${leftOut.length === 1 ? '1 line is' : `${leftOut.length} lines are`} left out, with the reason.` : '';
      showToast('File imported', `${lines.length === 1 ? '1 line' : `${lines.length} lines`}.${left} No payment is recorded yet.`);
      if (id) onImported(id);
    } catch (error) {
      const before = error instanceof ApiError && error.reason === 'seen_before' ? (error.current as { id: number }) : null;
      if (before) onImported(before.id);
    }
  }

  const asked = askedOf(importing.error);
  return (
    <>
      <BankSteps step={step} />
      <details ref={card} className="card stack bank-file" open={!wasFolded}>
        <summary><h2>Import a File</h2></summary>
        <p className="muted">Download the account’s transactions from the bank as CSV, OFX or QFX. Nothing is recorded until you say so, and an import can be undone.</p>
        <div className="grid field-pair">
          <Field id="bank-account" label="Account" hint="What you call it. Its columns are remembered." error={undefined}>
            {(control) => <input {...control} type="text" maxLength={40} autoComplete="off" value={name} placeholder="Chequing" onChange={(event) => setTyped(event.target.value)} />}
          </Field>
          <Field id="bank-csv" label="File of the bank" error={undefined}>
            {(control) => (
              <div
                className={importing.isPending ? 'drop-zone is-locked' : 'drop-zone'}
                onDragOver={(event) => event.preventDefault()}
                onDrop={(event: DragEvent) => {
                  event.preventDefault();
                  choose(event.dataTransfer.files);
                }}
              >
                <input
                  {...control}
                  className="cover"
                  type="file"
                  accept=".csv,.txt,.ofx,.qfx,.xml,text/csv"
                  aria-disabled={importing.isPending}
                  onClick={(event) => importing.isPending && event.preventDefault()}
                  onChange={(event) => {
                    choose(event.target.files);
                    // Allow choosing the same file again after correcting it.
                    event.target.value = '';
                  }}
                />
                <p className="stack drop-invitation" aria-hidden="true"><Icon name="upload" /><span>{file ? file.name : 'Choose the file, or drop it here'}</span></p>
              </div>
            )}
          </Field>
        </div>
        <p className="sr-only" role="status">{importing.isPending ? 'Reading the file...' : ''}</p>
        {importing.isError && !asked && (
          <Notice kind="error">
            {failureWords(importing.error, 'The file could not be imported. Please try again.').split('\n').map((line) => <p key={line}>{line}</p>)}
          </Notice>
        )}
        {file && asked && <BankColumns key={asked.asks} words={failureWords(importing.error, '')} asked={asked} isPending={importing.isPending} onChosen={(columns) => void send(file, { ...sent, ...columns })} />}
        <details className="bank-reading">
          <summary>How the file is read</summary>
          <div className="grid field-pair">
            <DateOrder id="bank-order" label="Order of the dates in the next file" value={order} onChange={setOrder} />
            <p>
              <span className="muted">The columns of the account’s last file are remembered. </span>
              <button type="button" className="button button-outline" aria-disabled={forgetting.isPending} disabled={name === ''} onClick={() => forgetting.run(name)}>Forget These Columns</button>
            </p>
          </div>
        </details>
      </details>
    </>
  );
}
