// What of a student the office still waits for.
import type { DocumentType, Student, StudentDocument } from '../api-types.ts';
import { addMonths } from '../dates.ts';
import { documentTypes } from '../documents/types.ts';
import { missingParts } from './profile.ts';

export type Wanted = { what: string; why: string; button: string; by: 'profile' | DocumentType };

type Known = Pick<Student, 'fullName' | 'phoneNumber' | 'address' | 'dateOfBirth' | 'parentName'>;

/** Every student is asked for these two. */
const asked: readonly DocumentType[] = ['government_id', 'transcript'];

const list = new Intl.ListFormat('en-CA');

export function wantedOf(student: Known, documents: readonly Pick<StudentDocument, 'documentType' | 'status'>[], today: string): Wanted[] {
  const missing = missingParts(student);
  const isMinor = student.dateOfBirth && addMonths(student.dateOfBirth, 18 * 12) > today;
  return [
    ...(missing.length > 0
      ? [{ what: 'Your profile', why: `The office needs your ${list.format(missing)}.`, button: 'Complete Your Profile', by: 'profile' } as const]
      : []),
    ...(isMinor && !student.parentName && missing.length === 0
      ? [{ what: 'A parent or guardian', why: 'You are under 18: the office needs a name and how to reach them.', button: 'Add a Guardian', by: 'profile' } as const]
      : []),
    // Whoever has uploaded nothing at all is reminded of that by a card of its own.
    ...(documents.length > 0 ? asked.flatMap((type) => wantedDocument(type, documents)) : []),
  ];
}

function wantedDocument(type: DocumentType, documents: readonly Pick<StudentDocument, 'documentType' | 'status'>[]): Wanted[] {
  const own = documents.filter(({ documentType }) => documentType === type);
  if (own.some(({ status }) => status === 'pending_review' || status === 'accepted')) return [];
  const why = own.length === 0 ? 'The office needs it to review your enrollment.' : 'The one that you uploaded is not accepted, or has expired.';
  return [{ what: documentTypes[type], why, button: `Upload ${documentTypes[type]}`, by: type }];
}
