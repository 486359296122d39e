// Section 3: value and label of each type of document; and the states of its review in words.

export const documentTypes = [
  { value: 'government_id', label: 'Government ID' },
  { value: 'transcript', label: 'School Transcript' },
  { value: 'proof_of_address', label: 'Proof of Address' },
  { value: 'health_insurance', label: 'Health Insurance' },
  { value: 'other', label: 'Other Document' },
] as const;

export function documentTypeLabel(type: string): string {
  return documentTypes.find(({ value }) => value === type)?.label ?? type;
}

type Review = { label: string; tone: 'green' | 'yellow' | 'red' | 'plain' };

const reviews: Record<string, Review> = {
  pending_review: { label: 'Waiting for review', tone: 'yellow' },
  accepted: { label: 'Accepted', tone: 'green' },
  rejected: { label: 'Not accepted', tone: 'red' },
  superseded: { label: 'Replaced by a newer one', tone: 'plain' },
  expired: { label: 'Expired', tone: 'red' },
};

/** Where the office's review of a document stands. */
export function documentReview(status: string): Review {
  return reviews[status] ?? { label: status.replaceAll('_', ' '), tone: 'plain' };
}
