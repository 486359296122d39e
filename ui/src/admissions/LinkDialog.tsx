// Links a request to a student of the school.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { showToast } from '../components/toasts.ts';
import { isLongEnough, searchQuery } from '../staff/search.ts';
import { useChange } from './decisions.ts';

export function LinkDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const [words, setWords] = useState('');
  const found = useQuery(searchQuery(words.trim()));
  const students = isLongEnough(words.trim()) ? (found.data?.students ?? []) : [];
  const change = useChange(id);

  function link(studentId: number) {
    if (change.isPending) return;
    change.mutate({ verb: 'link', body: { studentId } }, {
      onSuccess: () => {
        showToast('Request linked', 'The documents of the application are in the student’s file.');
        onClose();
      },
    });
  }

  return (
    <Dialog title="Link to a Student" onClose={onClose}>
      <p>The request and its documents become part of the student’s file.</p>
      <Field id="link-words" label="Name, email or student number" error={undefined}>
        {(control) => <input {...control} type="search" autoComplete="off" value={words} onChange={(event) => setWords(event.target.value)} />}
      </Field>
      <ul className="rows bare" aria-label="Students">
        {students.map((student) => (
          <li className="row" key={student.id}>
            <p><strong dir="auto">{student.name}</strong><span className="muted">{` ${[student.number, student.email].filter(Boolean).join(' · ')}`}</span></p>
            <button type="button" className="button button-outline" aria-label={`Link to ${student.name}`} onClick={() => link(student.id)}>Link</button>
          </li>
        ))}
      </ul>
      <p className="muted" role="status">{isLongEnough(words.trim()) && found.isSuccess && students.length === 0 ? 'No student found.' : ''}</p>
    </Dialog>
  );
}
