// What is chosen in the upload dialog and what is wrong with it. A file is checked as soon as it
// is chosen; a missing one only when the form is sent.
import { useState } from 'react';
import { fileProblem, missingInformation } from './file.ts';

type FieldName = 'documentType' | 'file';

const prefix = 'upload';

export function useUploadForm() {
  const [file, setFile] = useState<File | null>(null);
  const [documentType, setDocumentType] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [wasIncomplete, setWasIncomplete] = useState(false);

  const isMissing = { documentType: !documentType, file: !file && !problem };
  // The message goes as soon as nothing is missing any more.
  const tellsMissing = wasIncomplete && (isMissing.documentType || isMissing.file);
  const errors: Record<FieldName, string | undefined> = {
    documentType: tellsMissing && isMissing.documentType ? 'Select a document type.' : undefined,
    file: problem ?? (tellsMissing && isMissing.file ? 'Select a file.' : undefined),
  };

  return {
    file,
    documentType,
    chooseType: setDocumentType,
    chooseFile: (chosen: File, others: number) => {
      const found = others > 0 ? 'Please choose one file at a time.' : fileProblem(chosen);
      setProblem(found);
      setFile(found ? null : chosen);
    },
    field: (name: FieldName) => ({ id: `${prefix}-${name}`, error: errors[name] }),
    summary: {
      attempt,
      errors: [
        ...(tellsMissing ? [{ id: `${prefix}-${isMissing.documentType ? 'documentType' : 'file'}`, message: missingInformation }] : []),
        ...(problem && attempt > 0 ? [{ id: `${prefix}-file`, message: problem }] : []),
      ],
    },
    /** What is to be sent, or null with every reason shown. */
    check: () => {
      if (file && documentType) return { file, documentType };
      setWasIncomplete(true);
      setAttempt((count) => count + 1);
      return null;
    },
  };
}
