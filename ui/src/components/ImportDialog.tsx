// The dialog of a spreadsheet import: first a preview, then the import.
import { useMutation } from '@tanstack/react-query';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { failureWords } from '../api.ts';
import { Dialog } from './Dialog.tsx';
import type { Elements } from './elements.ts';
import { Field } from './Field.tsx';
import { ImportResult } from './ImportResult.tsx';
import type { ColumnChoice, Imported, Source } from './importing.ts';
import { MatchColumns } from './MatchColumns.tsx';
import { Notice } from './Notice.tsx';
import { showToast } from './toasts.ts';
import './ImportDialog.css';

type ImportDialogProps = {
  /** Plural noun of the imported rows. */
  things: 'Students' | 'Courses';
  /** Description of the expected columns. */
  intro: Elements;
  send: (source: Source, isDryRun: boolean, columns: ColumnChoice) => Promise<Imported>;
  /** Refetches the lists. */
  onImported: () => Promise<void>;
  onClose: () => void;
  /** Name of the built-in sample, if any. */
  sample?: string;
  /** Starts with the sample selected. */
  isSample?: boolean;
  /** Options for added rows. */
  choices?: Elements;
  /** What columns are called, where a heading that no column has is matched by hand. */
  columnName?: (column: string) => string;
};

export function ImportDialog({ things, intro, send, onImported, onClose, sample, isSample = false, choices, columnName }: ImportDialogProps) {
  const importing = useMutation({
    mutationKey: ['import', things],
    mutationFn: ({ source, isDryRun, columns }: { source: Source; isDryRun: boolean; columns: ColumnChoice }) => send(source, isDryRun, columns),
  });
  const [source, setSource] = useState<Source | null>(null);
  const [columns, setColumns] = useState<ColumnChoice>({});
  const [result, setResult] = useState<Imported | null>(null);

  // The form that asks for the columns goes when it is answered: the focus stays at its place.
  const answer = useRef<HTMLDivElement>(null);

  async function look(chosen: Source | undefined, matched: ColumnChoice = {}) {
    if (!chosen || importing.isPending) return;
    if (chosen === source) answer.current?.focus();
    setSource(chosen);
    setColumns(matched);
    setResult(null);
    setResult(await importing.mutateAsync({ source: chosen, isDryRun: true, columns: matched }).catch(() => null));
  }

  async function apply() {
    if (!source || importing.isPending) return;
    const done = await importing.mutateAsync({ source, isDryRun: false, columns }).catch(() => null);
    if (!done) return;
    await onImported();
    if (done.problems.length > 0) return setResult(done);
    showToast(`${things} imported`, `${done.added} added, ${done.updated} updated, ${done.unchanged} unchanged.`);
    onClose();
  }

  const begin = useRef(isSample ? () => void look('sample') : null);
  useEffect(() => {
    begin.current?.();
    begin.current = null;
  }, []);

  const drop = {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      void look(event.dataTransfer.files[0]);
    },
  };
  const isReady = result !== null && result.problems.length === 0;
  const name = source === 'sample' ? sample : source?.name;

  return (
    <Dialog title={`Import ${things}`} isWide onClose={onClose}>
      <div {...drop}>
        {intro}
        <Field id="import-file" label="CSV file" error={undefined}>
          {(control) => (
            <div className="cluster import-file">
              <input
                {...control}
                type="file"
                accept=".csv,text/csv"
                aria-describedby="import-name"
                onChange={(event) => {
                  void look(event.target.files?.[0]);
                  // Allow choosing the same file again after correcting it.
                  event.target.value = '';
                }}
              />
              <bdi id="import-name">{name ?? 'No file chosen'}</bdi>
            </div>
          )}
        </Field>
        {sample && source !== 'sample' && (
          <p>
            <button type="button" className="button button-outline" onClick={() => void look('sample')}>{`Use the ${sample}`}</button>
          </p>
        )}
        <div ref={answer} tabIndex={-1}>
          {importing.isPending && <p role="status">{result ? 'Importing...' : 'Reading the file...'}</p>}
          {importing.isError && <Notice kind="error"><p>{failureWords(importing.error, 'The file could not be read. Please try again.')}</p></Notice>}
          {result && columnName && result.unknown.length > 0
            ? <MatchColumns key={source === 'sample' ? source : source?.name} asked={result} columnName={columnName} onMatched={(matched) => void look(source ?? undefined, { ...columns, ...matched })} />
            : result && <ImportResult result={result} />}
          {result && result.unknown.length === 0 && Object.keys(columns).length > 0 && (
            <p><button type="button" className="button button-outline" onClick={() => void look(source ?? undefined)}>Choose the Columns Again</button></p>
          )}
        </div>
        {isReady && result.added > 0 && choices}
        <div className="cluster form-actions">
          <button type="button" className="button button-quiet" onClick={onClose}>Cancel</button>
          <button type="button" className="button button-primary" disabled={!isReady} aria-disabled={importing.isPending} onClick={() => void apply()}>
            Import
          </button>
        </div>
      </div>
    </Dialog>
  );
}
