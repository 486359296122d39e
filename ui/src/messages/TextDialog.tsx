// A text about a message: what the visitor answered, or a note.
import type { MessageThread } from '../api-types.ts';
import { ReasonDialog } from '../components/ReasonDialog.tsx';
import { addText, type TextKind } from './queries.ts';

const kinds = {
  answers: {
    title: 'They Answered',
    label: 'Their answer',
    hint: 'By telephone, or by email to the school. The message is open again; no email is sent.',
    wanted: 'Write what they answered',
    maxLength: 10_000,
  },
  notes: { title: 'Add a Note', label: 'Note', hint: 'Visitors never see it.', wanted: 'Enter the text of the note', maxLength: 4000 },
} as const;

type TextDialogProps = { id: number; kind: TextKind; onSaved: (thread: MessageThread) => void; onClose: () => void };

export function TextDialog({ id, kind, onSaved, onClose }: TextDialogProps) {
  return (
    <ReasonDialog
      {...kinds[kind]}
      idPrefix={kind}
      name="body"
      rows={5}
      min={1}
      submitLabel="Save"
      failed="It could not be saved. Please try again."
      send={async (body) => {
        onSaved(await addText(id, kind, body));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
