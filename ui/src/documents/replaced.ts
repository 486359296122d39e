// What a new document does to those of its type that the office has not decided about.
import type { DocumentType, StudentDocument } from '../api-types.ts';

/** Said before an upload of this type; null where it replaces none. Of "Other Document" there may be many. */
export function replacedHint(type: DocumentType | '', documents: readonly Pick<StudentDocument, 'documentType' | 'status' | 'originalName'>[]): string | null {
  const waiting = documents.find((one) => one.documentType === type && one.status === 'pending_review');
  return waiting && type !== 'other'
    ? `It replaces “${waiting.originalName}”, which waits for review. Older ones that the office has not opened are removed.`
    : null;
}
