// The office's notes about a student, never shown to the student.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react';
import { useUser } from '../accounts/signedIn.ts';
import { failureWords, isSignedOut } from '../api.ts';
import { Notice } from '../components/Notice.tsx';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { studentFileQuery } from '../enrollments/office/studentFile.ts';
import { Note } from './Note.tsx';
import { addNote } from './queries.ts';
import type { PanelProps } from './tabs.ts';

export function NotesPanel({ file: { student, notes } }: PanelProps) {
  const { duties } = useUser();
  const mayWrite = duties.includes('students');
  return (
    <div className="stack file-cards">
      {mayWrite && <NewNote studentId={student.id} />}
      {notes?.length === 0 && <p className="muted">No notes yet.</p>}
      {notes && notes.length > 0 && (
        <ul className="stack file-cards">
          {notes.map((note) => <li key={note.id}><Note note={note} mayWrite={mayWrite} /></li>)}
        </ul>
      )}
    </div>
  );
}

function NewNote({ studentId }: { studentId: number }) {
  const client = useQueryClient();
  const id = useId();
  const [body, setBody] = useState('');
  const adding = useMutation({
    ...addNote,
    onSuccess: async (_, { body: saved }) => {
      await client.invalidateQueries(studentFileQuery(studentId));
      // Text typed in the meantime is another note.
      setBody((now) => (now === saved ? '' : now));
    },
  });
  const { question } = useUnsavedChanges(body.trim() !== '' && !adding.isPending);

  function save(event?: FormEvent) {
    event?.preventDefault();
    if (body.trim() !== '' && !adding.isPending) adding.mutate({ id: studentId, body });
  }

  function saveByKey(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
  }

  return (
    <form className="card note-form screen-only" onSubmit={save}>
      <label htmlFor={id}>New note</label>
      <textarea id={id} rows={3} maxLength={4000} dir="auto" value={body} onChange={(event) => setBody(event.target.value)} onKeyDown={saveByKey} />
      {adding.isError && !isSignedOut(adding.error) && <Notice kind="error"><p>{failureWords(adding.error, 'The note could not be saved. Please try again.')}</p></Notice>}
      <button type="submit" className="button button-primary" aria-disabled={adding.isPending}>{adding.isPending ? 'Saving...' : 'Save Note'}</button>
      {question}
    </form>
  );
}
