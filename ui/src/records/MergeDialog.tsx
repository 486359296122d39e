// Merge Duplicate: two accounts of one student become one. What moves is shown first; it cannot be undone.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureWords } from '../api.ts';
import type { StudentFile } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Form } from '../components/Form.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { showToast } from '../components/toasts.ts';
import { MergeChoice } from './MergeChoice.tsx';
import { type Keep, mergeFields, mergeStudents } from './merging.ts';
import { recordsKey, searchQuery, studentFileQuery } from './queries.ts';
import { nameOf } from './words.ts';

const nothing = { attempt: 0, errors: [] };
const word = 'MERGE';

export function MergeDialog({ file, onClose }: { file: StudentFile; onClose: () => void }) {
  const [otherId, setOtherId] = useState<number | null>(null);
  return (
    <Dialog title={`Merge a Duplicate into ${nameOf(file.student)}`} isWide onClose={onClose}>
      {otherId === null ? <Find id={file.student.id} onFound={setOtherId} /> : <Merge file={file} otherId={otherId} onClose={onClose} />}
    </Dialog>
  );
}

function Find({ id, onFound }: { id: number; onFound: (id: number) => void }) {
  const [q, setQ] = useState('');
  const found = useQuery(searchQuery(q.trim())).data?.students.filter((one) => one.id !== id && one.status !== 'closed') ?? [];
  return (
    <>
      <p>Find the account that is to go. Its courses, documents and notes move here; then it is closed.</p>
      <SearchBox label="Search students..." value={q} onChange={setQ} />
      <ul className="rows bare">
        {q.trim().length >= 2 && found.map((one) => (
          <li className="row" key={one.id}>
            <span><bdi>{one.name}</bdi> <small className="muted">{one.number} · {one.email}</small></span>
            <button type="button" className="button button-outline" onClick={() => onFound(one.id)}>Choose</button>
          </li>
        ))}
      </ul>
    </>
  );
}

function Merge({ file, otherId, onClose }: { file: StudentFile; otherId: number; onClose: () => void }) {
  const client = useQueryClient();
  const other = useQuery(studentFileQuery(otherId)).data;
  const [keep, setKeep] = useState<Keep>({});
  const [typed, setTyped] = useState('');
  const merging = useMutation({
    ...mergeStudents,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: recordsKey });
      showToast('Accounts merged', 'The other account is closed.');
      onClose();
    },
  });
  if (!other) return <p role="status">Loading the other account...</p>;
  const differing = mergeFields.filter((name) => (file.student[name] ?? '') !== (other.student[name] ?? ''));

  return (
    <Form
      isPending={merging.isPending}
      summary={nothing}
      error={merging.isError && failureWords(merging.error, 'The accounts could not be merged. Please try again.')}
      submitLabel="Merge"
      pendingLabel="Merging..."
      onSubmit={() => typed.trim().toUpperCase() === word && merging.mutate({ id: file.student.id, otherId, keep })}
      onCancel={onClose}
    >
      <p>
        Moves from <strong>{nameOf(other.student)}</strong> ({other.student.email}): {other.enrollments.length} courses,{' '}
        {other.documents?.length ?? 0} documents, {other.notes?.length ?? 0} notes. <strong>{file.student.email}</strong> stays the address to log in with.
      </p>
      {differing.map((name) => (
        <MergeChoice key={name} name={name} mine={file.student[name] ?? null} theirs={other.student[name] ?? null} keep={keep} onKeep={setKeep} />
      ))}
      <div className="field">
        <label htmlFor="merge-word">This cannot be undone. Type {word} to go on</label>
        <input id="merge-word" type="text" autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />
      </div>
    </Form>
  );
}
