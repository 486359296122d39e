// Dialogs for a document with a lost file: replace it with another copy, or write it off with a reason.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { ApiError, failureWords } from '../api.ts';
import type { StudentDocument } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { contentProblem, fileProblem } from '../documents/file.ts';
import { FilePicker } from '../documents/FilePicker.tsx';
import { documentTypes } from '../documents/types.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { replaceFile, writeOff } from './lostFileQueries.ts';
import '../documents/documents.css';

export type LostFileDialogProps = { document: StudentDocument; onClose: () => void };

export function ReplaceFileDialog({ document, onClose }: LostFileDialogProps) {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const { leave, question } = useUnsavedChanges(file !== null);
  const sending = useMutation({
    ...replaceFile,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: recordsKey });
      showToast('File replaced');
      onClose();
    },
    // The server refused this file: another one must be chosen.
    onError: (error) => {
      if (error instanceof ApiError && [400, 413, 415].includes(error.status)) refuse(failureWords(error, error.message));
    },
  });
  const refuse = (words: string) => {
    setFile(null);
    setProblem(words);
  };

  async function choose(files: FileList | null) {
    const chosen = files?.[0];
    if (!chosen) return;
    sending.reset();
    const found = fileProblem(chosen) ?? (await contentProblem(chosen));
    setFile(found ? null : chosen);
    setProblem(found);
  }

  const error = problem ?? (attempt > 0 && !file ? 'Select a file.' : undefined);
  return (
    <Dialog title={`Replace the file of ${documentTypes[document.documentType]}?`} onClose={() => leave(onClose)}>
      <p>
        If the file is identical, the document is restored as it was. Another copy replaces it: its review stays as it is, and the student sees that the file came from the office.
      </p>
      <Form
        isPending={sending.isPending}
        summary={{ attempt, errors: error ? [{ id: 'lost-file', message: error }] : [] }}
        error={sending.error && !problem && failureWords(sending.error, 'The file did not arrive. Please try again.')}
        submitLabel="Replace"
        pendingLabel="Sending..."
        onSubmit={() => {
          setAttempt((count) => count + 1);
          if (file) sending.mutate({ id: document.id, file, documentType: document.documentType });
        }}
        onCancel={() => leave(onClose)}
      >
        <FilePicker id="lost-file" error={error} problem={problem} file={file} isKnown={file !== null} isLocked={sending.isPending} onChoose={(files) => void choose(files)} />
      </Form>
      {question}
    </Dialog>
  );
}

const schema = z.object({ reason: z.string().check(z.trim(), z.minLength(3, 'Please say why: the office reads it later')) });

export function WriteOffDialog({ document, onClose }: LostFileDialogProps) {
  const client = useQueryClient();
  const writing = useMutation(writeOff);
  const { register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema,
    values: { reason: '' },
    fields: ['reason'],
    idPrefix: 'write-off',
    send: async ({ reason }) => {
      await writing.mutateAsync({ id: document.id, reason });
      await client.invalidateQueries({ queryKey: recordsKey });
      showToast('Document written off');
      onClose();
    },
  });
  const { leave, question } = useUnsavedChanges(isDirty && !isPending);
  return (
    <Dialog title={`Write off ${documentTypes[document.documentType]}?`} onClose={() => leave(onClose)}>
      <p>Its entry stays, and says that the file is lost for good. Backups no longer report it. A copy that turns up can still replace it.</p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'That did not work. Please try again.')}
        submitLabel="Write Off"
        pendingLabel="Saving..."
        onSubmit={submit}
        onCancel={() => leave(onClose)}
      >
        <Field {...field('reason')} label="Reason" hint="Only the office sees it.">
          {(control) => <textarea {...control} {...register('reason')} rows={3} maxLength={500} dir="auto" />}
        </Field>
      </Form>
      {question}
    </Dialog>
  );
}
