// Labels of the to-do kinds.
import type { WaitingKind } from '../api-types.ts';

const words = {
  requests: ['course request', 'course requests'],
  ended_requests: ['request for an ended course', 'requests for ended courses'],
  leave_requests: ['request to leave', 'requests to leave'],
  transfers: ['student of a cancelled section', 'students of cancelled sections'],
  marks_due: ['final mark due', 'final marks due'],
  documents: ['document to review', 'documents to review'],
  lost_documents: ['lost document', 'lost documents'],
  guardians: ['guardian to confirm', 'guardians to confirm'],
  identity_changes: ['identity change', 'identity changes'],
  messages: ['unread message', 'unread messages'],
  open_messages: ['message to answer', 'messages to answer'],
  applications: ['admission request', 'admission requests'],
  questions: ['unanswered question to a family', 'unanswered questions to families'],
  invitations: ['account not opened', 'accounts not opened'],
  applications_to_link: ['application to link', 'applications to link'],
  deposits: ['deposit due', 'deposits due'],
  no_open_term: ['term to open for requests', 'terms to open for requests'],
  planned_sections: ['planned section', 'planned sections'],
  charges: ['unpriced enrollment', 'unpriced enrollments'],
  refunds_due: ['refund due', 'refunds due'],
  money_on_account: ['family with money on account', 'families with money on account'],
  bank_lines: ['bank line to review', 'bank lines to review'],
  mail: ['undelivered email', 'undelivered emails'],
} satisfies Record<WaitingKind, [one: string, many: string]>;

export function waitingWords(kind: WaitingKind, count: number): string {
  return words[kind][count === 1 ? 0 : 1];
}

/** Whole days since an instant or a date. */
export const daysSince = (at: string, now: number = Date.now()) => Math.max(0, Math.floor((now - Date.parse(at)) / 86_400_000));
