// Which document a new one replaces, and which is restored when it is removed.
import type { DocumentType, StudentDocument } from '../api-types.ts';

type ReplaceableDocument = Pick<StudentDocument, 'documentType' | 'status' | 'originalName'>;

/** The warning before an upload of this type; null if it replaces none. There may be many of "Other Document". */
export function replacedHint(type: DocumentType | '', documents: readonly ReplaceableDocument[]): string | null {
  const waiting = documents.find((one) => one.documentType === type && one.status === 'pending_review');
  return waiting && type !== 'other'
    ? `It replaces “${waiting.originalName}”, which is waiting for review. Older ones that the office has not opened are removed.`
    : null;
}

/** The name of the document that is restored when this one is removed, or null. Documents come newest first. */
export function restoredName({ documentType, status }: ReplaceableDocument, documents: readonly ReplaceableDocument[]): string | null {
  const before = documents.find((one) => one.documentType === documentType && one.status === 'superseded');
  return status === 'pending_review' ? (before?.originalName ?? null) : null;
}

/** Whether the newest document of a type was rejected or has expired, so that another one can take its place. */
export function needsNewUpload<T extends ReplaceableDocument>(document: T, documents: readonly T[]): boolean {
  const { documentType, status } = document;
  const isNewest = documents.find((one) => one.documentType === documentType) === document;
  return isNewest && documentType !== 'other' && (status === 'rejected' || status === 'expired');
}
