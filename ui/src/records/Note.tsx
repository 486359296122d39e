// An office note, which can be pinned, edited by its author, or deleted.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useUser } from '../accounts/signedIn.ts';
import { failureWords } from '../api.ts';
import type { StudentNote } from '../api-types.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { showFailure } from '../components/toasts.ts';
import { useDialogPart } from '../components/useDialogPart.ts';
import { momentText } from '../dates.ts';
import { studentFileQuery } from '../enrollments/office/studentFile.ts';
import { useSchool } from '../school/queries.ts';
import { changeNote, deleteNote } from './queries.ts';

/** The line that replaces a deleted note takes the focus. */
const takeFocus = (line: HTMLElement | null) => line?.focus();

const onError = (error: Error) => showFailure('The note was not changed', failureWords(error, 'Please try again.'));

export function Note({ note, mayWrite }: { note: StudentNote; mayWrite: boolean }) {
  const { id, studentId, by, body, isPinned, createdAt, editedAt, deletedAt } = note;
  const { timeZone } = useSchool();
  const { username } = useUser();
  const client = useQueryClient();
  const [isDeleting, setIsDeleting] = useState(false);
  const editing = useDialogPart(() => import('./NoteDialog.tsx'));
  const onSuccess = () => client.invalidateQueries(studentFileQuery(studentId));
  const pinning = useMutation({ ...changeNote, onSuccess, onError });
  const deleting = useMutation({ ...deleteNote, onSuccess, onError });

  if (deletedAt) return <p className="muted" tabIndex={-1} ref={isDeleting ? takeFocus : null}>{`A note by ${by} was deleted on ${momentText(deletedAt, timeZone)}.`}</p>;
  return (
    <article className={isPinned ? 'card note is-pinned' : 'card note'}>
      <p className="written">{body}</p>
      <footer className="row">
        <p className="muted">{`${isPinned ? 'Pinned · ' : ''}${by}, ${momentText(createdAt, timeZone)}${editedAt ? ', edited' : ''}`}</p>
        {mayWrite && (
          <div className="cluster">
            <button type="button" className="button button-quiet" onClick={() => pinning.mutate({ id, isPinned: !isPinned })}>{isPinned ? 'Unpin' : 'Pin'}</button>
            {by === username && <button type="button" className="button button-quiet" onClick={editing.open}>Edit</button>}
            <button type="button" className="button button-quiet" onClick={() => setIsDeleting(true)}>Delete</button>
          </div>
        )}
      </footer>
      {editing.part && <editing.part.NoteDialog note={note} onClose={editing.close} />}
      {isDeleting && (
        <ConfirmDialog
          title="Delete this note?"
          confirmLabel="Delete"
          pendingLabel="Deleting..."
          isPending={deleting.isPending}
          isDangerous
          onConfirm={() => deleting.mutate(id)}
          onClose={() => setIsDeleting(false)}
        >
          <p>Its text is deleted for good; a line still says that there was a note.</p>
        </ConfirmDialog>
      )}
    </article>
  );
}
