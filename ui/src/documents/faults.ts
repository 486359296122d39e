// Messages about documents with lost files, for the office.
import type { DocumentFault } from '../api-types.ts';

export const faultNotes = {
  missing: 'File lost: it is no longer on the server’s disk.',
  changed: 'File lost: it was damaged on the server’s disk.',
  written_off: 'Written off: its file is lost for good.',
} satisfies Record<DocumentFault, string>;
