// Section 3: the label of each type of document; and the states of its review in words.
import type { DocumentExamination, DocumentStatus, DocumentType, RejectCode, StudentDocument } from '../api-types.ts';
import type { Tone } from '../closedSets.ts';
import { dateText } from '../dates.ts';

export const documentTypes = {
  government_id: 'Government ID',
  transcript: 'School Transcript',
  proof_of_address: 'Proof of Address',
  health_insurance: 'Health Insurance',
  study_permit: 'Study Permit',
  custodianship: 'Custodianship Declaration',
  immunization: 'Immunization Record',
  iep: 'Individual Education Plan',
  other: 'Other Document',
} satisfies Record<DocumentType, string>;

/** Review statuses. */
export const documentReviews = {
  pending_review: { label: 'Waiting for the office', tone: 'plain' },
  accepted: { label: 'Accepted', tone: 'green' },
  rejected: { label: 'Rejected', tone: 'red' },
  superseded: { label: 'Replaced by a newer one', tone: 'plain' },
  expired: { label: 'Expired', tone: 'red' },
} satisfies Record<DocumentStatus, { label: string; tone: Tone }>;

/** Why the office rejects a document, as its student reads it. */
export const rejectCodes = {
  unreadable: 'It cannot be read.',
  wrong_document: 'It is not the document we asked for.',
  name_differs: 'The name on it differs from the name in your profile.',
  expired: 'It has expired.',
  incomplete: 'Parts of it are missing.',
} satisfies Record<RejectCode, string>;

/** What people call a document. */
export const documentName = ({ documentType, label }: Pick<StudentDocument, 'documentType' | 'label'>) => label ?? documentTypes[documentType];

/** What is said of a decided document beside its badge; null where the badge says it. */
export function reviewNote({ rejectCode, reason, expiresOn, status }: Pick<StudentDocument, 'rejectCode' | 'reason' | 'expiresOn' | 'status'>): string | null {
  if (rejectCode) return [rejectCodes[rejectCode], reason].filter(Boolean).join(' ');
  if (!expiresOn || status === 'superseded') return null;
  return `${status === 'expired' ? 'Expired on' : 'Counts until'} ${dateText(expiresOn, expiresOn)}`;
}

/** Why a file is downloaded instead of shown: it was uploaded before files were checked. */
export const examinationNotes = {
  waiting: 'Not checked yet, so it is downloaded instead of shown.',
  passed: null,
  refused: 'May not be safe to open, so it is downloaded instead of shown. Please ask for a new one.',
} satisfies Record<DocumentExamination, string | null>;

/** Note on a file whose digital signature was lost when it was rewritten. */
export const signedNote = 'was digitally signed';

/** Address of a document's file. */
export const documentAddress = (id: number) => `/api/documents/${id}`;
