// State and errors of the upload form. A file is checked when it is chosen; a missing one on submit.
import { useRef, useState } from 'react';
import type { DocumentType, DocumentUsage } from '../api-types.ts';
import { contentProblem, fileProblem, missingInformation, roomProblem } from './file.ts';

type FieldName = 'documentType' | 'file';

const prefix = 'upload';

export function useUploadForm(usage: DocumentUsage | undefined, type: DocumentType | '') {
  const [file, setFile] = useState<File | null>(null);
  const [documentType, setDocumentType] = useState(type);
  const [problem, setProblem] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [wasIncomplete, setWasIncomplete] = useState(false);
  const latest = useRef<File>(null);
  /** The file whose content was checked. */
  const [known, setKnown] = useState<File | null>(null);

  const isMissing = { documentType: !documentType, file: !file && !problem };
  // Clear the message once nothing is missing.
  const tellsMissing = wasIncomplete && (isMissing.documentType || isMissing.file);
  const errors: Record<FieldName, string | undefined> = {
    documentType: tellsMissing && isMissing.documentType ? 'Select a document type.' : undefined,
    file: problem ?? (tellsMissing && isMissing.file ? 'Select a file.' : undefined),
  };

  function chooseFile(chosen: File, others: number) {
    latest.current = chosen;
    const found = others > 0 ? 'Please choose one file at a time.' : (fileProblem(chosen) ?? roomProblem(chosen, usage));
    setProblem(found);
    setFile(found ? null : chosen);
    if (!found) void lookInto(chosen);
  }

  async function lookInto(chosen: File) {
    const found = await contentProblem(chosen);
    // Another file may have been chosen in the meantime.
    if (latest.current !== chosen) return;
    if (found) drop(found);
    else setKnown(chosen);
  }

  function drop(words: string) {
    setProblem(words);
    setFile(null);
  }

  return {
    file,
    documentType,
    problem,
    /** No preview before the content is checked. */
    isKnown: file !== null && file === known,
    chooseType: setDocumentType,
    chooseFile,
    /** The server refused the file: another one must be chosen. */
    refuseFile: (words: string) => {
      drop(words);
      setAttempt((count) => count + 1);
    },
    field: (name: FieldName) => ({ id: `${prefix}-${name}`, error: errors[name] }),
    summary: {
      attempt,
      errors: [
        ...(tellsMissing ? [{ id: `${prefix}-${isMissing.documentType ? 'documentType' : 'file'}`, message: missingInformation }] : []),
        ...(problem && attempt > 0 ? [{ id: `${prefix}-file`, message: problem }] : []),
      ],
    },
    /** The form's data, or null with all errors shown. */
    check: () => {
      if (file && documentType) return { file, documentType };
      setWasIncomplete(true);
      setAttempt((count) => count + 1);
      return null;
    },
  };
}
