// Section 3: the label of each type of document; and the states of its review in words.
import type { DocumentExamination, DocumentStatus, DocumentType } from '../api-types.ts';
import type { Tone } from '../closedSets.ts';

export const documentTypes = {
  government_id: 'Government ID',
  transcript: 'School Transcript',
  proof_of_address: 'Proof of Address',
  health_insurance: 'Health Insurance',
  other: 'Other Document',
} satisfies Record<DocumentType, string>;

/** Review statuses. */
export const documentReviews = {
  // Reviews cannot be recorded yet, so nothing is shown as waiting for one.
  pending_review: { label: 'Uploaded', tone: 'plain' },
  accepted: { label: 'Accepted', tone: 'green' },
  rejected: { label: 'Not accepted', tone: 'red' },
  superseded: { label: 'Replaced by a newer one', tone: 'plain' },
  expired: { label: 'Expired', tone: 'red' },
} satisfies Record<DocumentStatus, { label: string; tone: Tone }>;

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
