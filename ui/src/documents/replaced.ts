// What a new document replaces, and what counts again once it is removed.
import type { DocumentType, StudentDocument } from '../api-types.ts';

type Known = Pick<StudentDocument, 'documentType' | 'status' | 'originalName'>;

/** Said before an upload of this type; null where it replaces none. Of "Other Document" there may be many. */
export function replacedHint(type: DocumentType | '', documents: readonly Known[]): string | null {
  const waiting = documents.find((one) => one.documentType === type && one.status === 'pending_review');
  return waiting && type !== 'other'
    ? `It replaces “${waiting.originalName}”, which is waiting for review. Older ones that the office has not opened are removed.`
    : null;
}

/** The name of the document that counts again once this one is removed, or null. The documents come newest first. */
export function nameBefore({ documentType, status }: Known, documents: readonly Known[]): string | null {
  const before = documents.find((one) => one.documentType === documentType && one.status === 'superseded');
  return status === 'pending_review' ? (before?.originalName ?? null) : null;
}
