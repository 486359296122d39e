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

/** Where the office's review of a document stands. */
export const documentReviews = {
  // No review can be recorded yet: nothing says that it waits for one.
  pending_review: { label: 'Uploaded', tone: 'plain' },
  accepted: { label: 'Accepted', tone: 'green' },
  rejected: { label: 'Not accepted', tone: 'red' },
  superseded: { label: 'Replaced by a newer one', tone: 'plain' },
  expired: { label: 'Expired', tone: 'red' },
} satisfies Record<DocumentStatus, { label: string; tone: Tone }>;

/** What the office reads of a file that is saved instead of shown: it was uploaded before files were checked. */
export const examinationNotes = {
  waiting: 'Not checked yet, so it is downloaded instead of shown.',
  passed: null,
  refused: 'May not be safe to open, so it is downloaded instead of shown. Please ask for a new one.',
} satisfies Record<DocumentExamination, string | null>;

/** Beside a file whose digital signature was lost when it was written again. */
export const signedNote = 'was digitally signed';

/** A document itself, opened in a new tab. */
export const documentAddress = (id: number) => `/api/documents/${id}`;
