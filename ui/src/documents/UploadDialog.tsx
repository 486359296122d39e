// Upload New Document (section 2): type, file and progress. Both stay selected after a failure.
import { useQuery } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import type { DocumentType, StudentDocument } from '../api-types.ts';
import { optionsOf, readWord } from '../closedSets.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { FilePicker } from './FilePicker.tsx';
import { documentUsageQuery } from './queries.ts';
import { replacedHint } from './replacement.ts';
import { NoRoom } from './StorageUsed.tsx';
import { documentTypes } from './types.ts';
import { UploadProgress } from './UploadProgress.tsx';
import { type SendFile, useUpload } from './useUpload.ts';
import { useUploadForm } from './useUploadForm.ts';
import './documents.css';

type UploadDialogProps = {
  /** The student, when the office uploads; absent for a student's own upload. */
  student?: { id: number; name: string };
  /** Where the file goes, if not to a student. */
  send?: SendFile;
  /** Preselected type. */
  type?: DocumentType | '';
  /** The student's existing documents. */
  documents: readonly StudentDocument[] | null | undefined;
  onClose: () => void;
  onUploaded: () => void;
};

export function UploadDialog({ student, send, type = '', documents, onClose, onUploaded }: UploadDialogProps) {
  const usage = useQuery({ ...documentUsageQuery, enabled: !student && !send }).data;
  const form = useUploadForm(usage, type);
  const { stage, start, cancel, reset } = useUpload({ studentId: student?.id, send, onUploaded, onRefused: form.refuseFile });
  const [isStopping, setIsStopping] = useState(false);
  const [label, setLabel] = useState('');
  const isSending = stage.name === 'sending';
  const { leave, question } = useUnsavedChanges(form.file !== null || form.documentType !== type);
  const hint = replacedHint(form.documentType, documents ?? []);

  function choose(files: FileList | null) {
    const [file, ...others] = files ?? [];
    if (!file || isSending) return;
    reset();
    form.chooseFile(file, others.length);
  }

  function submit() {
    reset();
    setIsStopping(false);
    const chosen = form.check();
    if (chosen) void start(chosen.file, chosen.documentType, form.documentType === 'other' ? label.trim() : '');
  }

  const drop = {
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      choose(event.dataTransfer.files);
    },
  };
  return (
    <Dialog title={student ? `Upload for ${student.name}` : 'Upload New Document'} onClose={() => (isSending ? setIsStopping(true) : leave(onClose))}>
      {/* A file that is dropped beside the field counts too; the browser would open it and lose the page. */}
      <div {...drop}>
        <NoRoom usage={usage} />
        {student && <p>The student sees the document in the student portal, and that it came from the office.</p>}
        <Form
          isPending={isSending}
          summary={form.summary}
          error={stage.name === 'failed' && stage.words}
          isToasted
          submitLabel={stage.name === 'failed' ? 'Try Again' : 'Upload'}
          pendingLabel="Uploading..."
          onSubmit={submit}
          onCancel={() => (isSending ? cancel() : leave(onClose))}
        >
          <Field {...form.field('documentType')} label="Document type" {...(hint && { hint })}>
            {(control) => (
              <select
                {...control}
                value={form.documentType}
                disabled={isSending}
                onChange={(event) => form.chooseType(readWord(documentTypes, event.target.value))}
              >
                <option value="">Select a type</option>
                {optionsOf(documentTypes).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
              </select>
            )}
          </Field>
          {form.documentType === 'other' && !send && (
            <Field id="upload-label" label="What is it? (optional)" error={undefined}>
              {(control) => <input {...control} value={label} maxLength={100} dir="auto" disabled={isSending} onChange={(event) => setLabel(event.target.value)} />}
            </Field>
          )}
          <FilePicker
            {...form.field('file')}
            problem={form.problem}
            file={form.file}
            isKnown={form.isKnown}
            isLocked={isSending}
            onChoose={choose}
          />
          <UploadProgress stage={stage} />
        </Form>
      </div>
      {question}
      {isStopping && isSending && <StopQuestion onStop={onClose} onStay={() => setIsStopping(false)} />}
    </Dialog>
  );
}

/** Closing the dialog stops the upload, which may also finish while this is asked. */
function StopQuestion({ onStop, onStay }: { onStop: () => void; onStay: () => void }) {
  return (
    <ConfirmDialog
      title="Stop the upload?"
      confirmLabel="Stop"
      cancelLabel="Keep Uploading"
      isDangerous
      onConfirm={onStop}
      onClose={onStay}
    >
      <p>The document has not reached the school yet.</p>
    </ConfirmDialog>
  );
}
