// Section 3: the label of each type of document; and the states of its review in words.
import type { DocumentStatus, DocumentType } from '../api-types.ts';
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
  pending_review: { label: 'Waiting for review', tone: 'yellow' },
  accepted: { label: 'Accepted', tone: 'green' },
  rejected: { label: 'Not accepted', tone: 'red' },
  superseded: { label: 'Replaced by a newer one', tone: 'plain' },
  expired: { label: 'Expired', tone: 'red' },
} satisfies Record<DocumentStatus, { label: string; tone: Tone }>;
