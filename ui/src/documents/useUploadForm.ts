// What is chosen in the upload dialog and what is wrong with it. A file is checked as soon as it
// is chosen; a missing one only when the form is sent.
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
  /** The file whose content was looked at. */
  const [known, setKnown] = useState<File | null>(null);

  const isMissing = { documentType: !documentType, file: !file && !problem };
  // The message goes as soon as nothing is missing any more.
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
    // Another one may have been chosen meanwhile.
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
    /** No picture is drawn of a file that may turn out to be none. */
    isKnown: file !== null && file === known,
    chooseType: setDocumentType,
    chooseFile,
    /** The server does not take the file: another one is to be chosen. */
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
    /** What is to be sent, or null with every reason shown. */
    check: () => {
      if (file && documentType) return { file, documentType };
      setWasIncomplete(true);
      setAttempt((count) => count + 1);
      return null;
    },
  };
}
