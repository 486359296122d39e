// Merge Duplicate: merges two accounts of one student, after showing what moves. It cannot be undone.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { failureWords } from '../api.ts';
import type { StudentFile } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { SearchBox } from '../components/SearchBox.tsx';
import { showToast } from '../components/toasts.ts';
import { recordsKey, studentFileQuery } from '../enrollments/office/studentFile.ts';
import { searchQuery } from '../staff/search.ts';
import { MergeChoice } from './MergeChoice.tsx';
import { type MergeChoices, mergeFields, mergeStudents } from './merging.ts';
import { nameOf } from './words.ts';

const word = 'MERGE';
const wordId = 'merge-word';

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
  const asked = q.trim();
  const { data, isFetching } = useQuery(searchQuery(asked));
  const found = asked.length < 2 ? [] : (data?.students.filter((one) => one.id !== id && one.status !== 'closed') ?? []);
  const hasNoMatch = asked.length >= 2 && data && !isFetching && found.length === 0;
  return (
    <>
      <p>Find the account to close. Its courses, documents and notes move here.</p>
      <SearchBox label="Search students..." value={q} onChange={setQ} />
      <ul className="rows bare">
        {found.map((one) => (
          <li className="row" key={one.id}>
            <span><bdi>{one.name}</bdi> <small className="muted">{`${one.number ?? ''} · ${one.email}`}</small></span>
            <button type="button" className="button button-outline" onClick={() => onFound(one.id)}>Choose</button>
          </li>
        ))}
      </ul>
      <p className="muted" role="status">{hasNoMatch && 'No student matches'}</p>
    </>
  );
}

function Merge({ file, otherId, onClose }: { file: StudentFile; otherId: number; onClose: () => void }) {
  const other = useQuery(studentFileQuery(otherId));
  // The form takes the focus itself.
  const nowhere = useRef(null);
  if (other.data) return <MergeForm file={file} other={other.data} onClose={onClose} />;
  if (other.isError) return <LoadFailed words="The other account could not be loaded." query={other} heading={nowhere} />;
  return <p role="status">Loading the other account...</p>;
}

/** The form replaces the "Choose" button: its first field takes the focus. */
const focusFirst = (fields: HTMLElement | null) => fields?.querySelector<HTMLElement>(`:checked, #${wordId}`)?.focus();

function MergeForm({ file, other, onClose }: { file: StudentFile; other: StudentFile; onClose: () => void }) {
  const client = useQueryClient();
  const [keep, setKeep] = useState<MergeChoices>({});
  const [typed, setTyped] = useState('');
  const [attempt, setAttempt] = useState(0);
  const merging = useMutation({
    ...mergeStudents,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: recordsKey });
      showToast('Accounts merged', 'The other account is closed.');
      onClose();
    },
  });
  const isTyped = typed.trim().toUpperCase() === word;
  const error = attempt > 0 && !isTyped ? `Type ${word} to continue` : undefined;
  const differing = mergeFields.filter((name) => (file.student[name] ?? '') !== (other.student[name] ?? ''));

  return (
    <Form
      isPending={merging.isPending}
      summary={{ attempt, errors: error ? [{ id: wordId, message: error }] : [] }}
      error={merging.isError && failureWords(merging.error, 'The accounts could not be merged. Please try again.')}
      submitLabel="Merge"
      pendingLabel="Merging..."
      onSubmit={() => (isTyped ? merging.mutate({ id: file.student.id, otherId: other.student.id, keep }) : setAttempt(attempt + 1))}
      onCancel={onClose}
    >
      <p>
        Moves from <strong>{nameOf(other.student)}</strong><span>{` (${other.student.email}): ${other.enrollments.length} courses, ${other.documents?.length ?? 0} documents, ${other.notes?.length ?? 0} notes. `}</span><strong>{file.student.email}</strong> remains the address to log in with.
      </p>
      <div ref={focusFirst}>
        {differing.map((name) => (
          <MergeChoice key={name} name={name} mine={file.student[name] ?? null} theirs={other.student[name] ?? null} keep={keep} onKeep={setKeep} />
        ))}
        <Field id={wordId} label={`This cannot be undone. Type ${word} to continue`} error={error}>
          {(control) => <input {...control} type="text" autoComplete="off" value={typed} onChange={(event) => setTyped(event.target.value)} />}
        </Field>
      </div>
    </Form>
  );
}
