// The office's notes about a request, never shown to the family.
import { type FormEvent, type KeyboardEvent, useId, useState } from 'react';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { momentText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { useChange } from './decisions.ts';
import type { RequestFile } from './wire.ts';

export function RequestNotes({ request: { id, notes }, mayDecide }: { request: RequestFile; mayDecide: boolean }) {
  const { timeZone } = useSchool();
  return (
    <section className="card" aria-labelledby="notes">
      <h2 id="notes">Notes</h2>
      {mayDecide && <NewNote id={id} />}
      {notes.length === 0 && !mayDecide && <p className="muted">No notes yet.</p>}
      <ul className="rows bare">
        {notes.map((note) => (
          <li key={note.id}>
            <p className="written" dir="auto">{note.body}</p>
            <p className="muted">{`${note.by}, ${momentText(note.createdAt, timeZone)}`}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NewNote({ id }: { id: number }) {
  const fieldId = useId();
  const [body, setBody] = useState('');
  const change = useChange(id);
  const { question } = useUnsavedChanges(body.trim() !== '' && !change.isPending);

  function save(event?: FormEvent) {
    event?.preventDefault();
    if (body.trim() === '' || change.isPending) return;
    // Text typed in the meantime is another note.
    change.mutate({ verb: 'notes', body: { body } }, { onSuccess: () => setBody((now) => (now === body ? '' : now)) });
  }

  return (
    <form className="note-form screen-only" onSubmit={save}>
      <label htmlFor={fieldId} className="sr-only">New note</label>
      <textarea
        id={fieldId}
        rows={2}
        maxLength={4000}
        dir="auto"
        placeholder="Only the office sees notes"
        value={body}
        onChange={(event) => setBody(event.target.value)}
        onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && (event.ctrlKey || event.metaKey) && save()}
      />
      <button type="submit" className="button button-outline" aria-disabled={change.isPending}>{change.isPending ? 'Saving...' : 'Save Note'}</button>
      {question}
    </form>
  );
}
