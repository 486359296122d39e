// The dialog that edits a note.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { StudentNote } from '../api-types.ts';
import { studentFileQuery } from '../enrollments/office/studentFile.ts';
import { changeNote } from './queries.ts';
import { ReasonDialog } from '../components/ReasonDialog.tsx';

export function NoteDialog({ note, onClose }: { note: StudentNote; onClose: () => void }) {
  const client = useQueryClient();
  const changing = useMutation(changeNote);
  return (
    <ReasonDialog
      title="Edit Note"
      idPrefix="note"
      name="body"
      label="Note"
      rows={6}
      maxLength={4000}
      value={note.body}
      min={1}
      wanted="Enter the text of the note"
      submitLabel="Save"
      failed="The note could not be saved. Please try again."
      send={async (body) => {
        await changing.mutateAsync({ id: note.id, body });
        await client.invalidateQueries(studentFileQuery(note.studentId));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
