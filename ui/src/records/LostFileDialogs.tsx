// Dialogs for a document with a lost file: replace it with another copy, or write it off with a reason.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, failureWords } from '../api.ts';
import type { StudentDocument } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Form } from '../components/Form.tsx';
import { ReasonDialog } from '../components/ReasonDialog.tsx';
import { showToast } from '../components/toasts.ts';
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

export function WriteOffDialog({ document, onClose }: LostFileDialogProps) {
  const client = useQueryClient();
  const writing = useMutation(writeOff);
  return (
    <ReasonDialog
      title={`Write off ${documentTypes[document.documentType]}?`}
      intro={<p>Its entry stays, and says that the file is lost for good. Backups no longer report it. A copy that turns up can still replace it.</p>}
      idPrefix="write-off"
      hint="Only the office sees it."
      rows={3}
      wanted="Please say why: the office reads it later"
      submitLabel="Write Off"
      failed="That did not work. Please try again."
      send={async (reason) => {
        await writing.mutateAsync({ id: document.id, reason });
        await client.invalidateQueries({ queryKey: recordsKey });
        showToast('Document written off');
        onClose();
      }}
      onClose={onClose}
    />
  );
}
