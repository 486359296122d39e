// Import: students from a spreadsheet. First it is said what would happen, then it happens.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { failureWords } from '../api.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Notice } from '../components/Notice.tsx';
import { showToast } from '../components/toasts.ts';
import { ImportResult } from './ImportResult.tsx';
import { importStudents, type Imported } from './importing.ts';
import { recordsKey } from './queries.ts';

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const importing = useMutation(importStudents);
  const [file, setFile] = useState<File | null>(null);
  const [result, setResult] = useState<Imported | null>(null);
  const [invite, setInvite] = useState(false);

  async function look(chosen: File | undefined) {
    if (!chosen || importing.isPending) return;
    setFile(chosen);
    setResult(null);
    setResult(await importing.mutateAsync({ file: chosen, dryRun: true, invite: false }).catch(() => null));
  }

  async function apply() {
    if (!file || importing.isPending) return;
    const done = await importing.mutateAsync({ file, dryRun: false, invite }).catch(() => null);
    if (!done) return;
    await client.invalidateQueries({ queryKey: recordsKey });
    if (done.problems.length > 0) return setResult(done);
    showToast('Students imported', `${done.added} added, ${done.updated} updated, ${done.unchanged} unchanged.`);
    onClose();
  }

  const drop = {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      void look(event.dataTransfer.files[0]);
    },
  };
  const isReady = result !== null && result.problems.length === 0;

  return (
    <Dialog title="Import Students" isWide onClose={onClose}>
      <div {...drop}>
        <p>
          A spreadsheet saved as CSV, with the columns <strong>email</strong> and <strong>fullName</strong> and, if you have them,
          those of the profile. New addresses are added, known ones updated, nobody is removed. Drop it here or choose it.
        </p>
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
                  // The same file can be chosen again once it is corrected.
                  event.target.value = '';
                }}
              />
              <bdi id="import-name">{file?.name ?? 'No file chosen'}</bdi>
            </div>
          )}
        </Field>
        {importing.isPending && <p role="status">{result ? 'Importing...' : 'Reading the file...'}</p>}
        {importing.isError && <Notice kind="error"><p>{failureWords(importing.error, 'The file could not be read. Please try again.')}</p></Notice>}
        {result && <ImportResult result={result} />}
        {isReady && result.added > 0 && (
          <label className="tick">
            <input type="checkbox" checked={invite} onChange={(event) => setInvite(event.target.checked)} />
            Send an invitation to each new student
          </label>
        )}
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
