// Which document counts again once a newer one is removed.
import type { StudentDocument } from '../api-types.ts';

type Known = Pick<StudentDocument, 'documentType' | 'status' | 'originalName'>;

/** Its name; null where there is none. The documents come newest first. */
export function nameBefore({ documentType, status }: Known, documents: readonly Known[]): string | null {
  const before = documents.find((one) => one.documentType === documentType && one.status === 'superseded');
  return status === 'pending_review' ? (before?.originalName ?? null) : null;
}
