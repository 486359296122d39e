// What the school still needs from the student, in the overview's words.
import { queryOptions } from '@tanstack/react-query';
import { getJson } from '../api.ts';
import type { DocumentType, Student, StudentDocument, Wanted } from '../api-types.ts';
import { documentTypes } from '../documents/types.ts';
import { listText, missingParts } from './profile.ts';

/** Refetched whenever it is shown: the office may have decided in the meantime. */
export const wantedQuery = queryOptions({
  queryKey: ['students', 'wanted'],
  queryFn: ({ signal }) => getJson('/api/students/wanted', signal),
  staleTime: 0,
});

/** `button` is null if it is the office's turn. */
export type Ask = { what: string; why: string; button: string | null; by: 'profile' | DocumentType };

type Known = Pick<Student, 'fullName' | 'phoneNumber' | 'address' | 'dateOfBirth' | 'parentName'>;

/** Items for the student, including those that the office handles. */
export function asksOf(wanted: readonly Wanted[], student: Known, documents: readonly Pick<StudentDocument, 'documentType' | 'fault'>[]): Ask[] {
  return wanted.filter(({ isWithOffice }) => !isWithOffice).flatMap(({ kind, documentType }): Ask[] => {
    if (kind === 'profile') {
      return [{ what: 'Your profile', why: `The office needs your ${missingParts(student)}.`, button: 'Complete Your Profile', by: 'profile' }];
    }
    if (kind === 'guardian_confirmation') return [guardian(student)];
    // Without any uploads, the reminder card covers this.
    if (!documentType || documents.length === 0) return [];
    const what = documentTypes[documentType];
    const others = documents.filter((own) => own.documentType === documentType);
    const why = others.some(({ fault }) => fault)
      ? 'The file that you uploaded is lost. Please upload it again.'
      : others.length > 0 ? 'Your upload was not accepted, or has expired.' : 'The office needs it to review your enrollment.';
    return [{ what, why, button: `Upload ${what}`, by: documentType }];
  });
}

function guardian({ dateOfBirth, parentName }: Known): Ask {
  const what = 'A parent or guardian';
  if (parentName) return { what, why: `The office asks ${parentName} to confirm.`, button: null, by: 'profile' };
  const why = dateOfBirth ? 'You are under 18: the office needs a name and how to reach them.' : 'Needed until we know that you are 18.';
  return { what, why, button: 'Add a Guardian', by: 'profile' };
}

/** Names of the documents to upload. */
export function toUpload(wanted: readonly Wanted[]): string {
  return listText(wanted.flatMap(({ documentType, isWithOffice }) => (documentType && !isWithOffice ? [documentTypes[documentType]] : [])));
}
