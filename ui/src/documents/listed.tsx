// Parts shared by the document list and its pane.
import type { ListedDocument } from '../api-types.ts';
import { DocumentLink } from '../components/GuardedLinks.tsx';
import { Icon } from '../components/Icon.tsx';
import { faultNotes } from './faults.ts';
import { documentAddress, documentReviews, documentName, examinationNotes } from './types.ts';

export const nameOf = ({ student, studentId }: ListedDocument) => student.fullName || `Student #${studentId}`;

/** A warning about the file, shown before it is opened. */
export const warningOf = ({ fault, examination }: ListedDocument) => (fault && faultNotes[fault]) || examinationNotes[examination];

export function DocumentReview({ status }: Pick<ListedDocument, 'status'>) {
  const { label, tone } = documentReviews[status];
  return <span className={`badge tone-${tone}`}>{label}</span>;
}

export function ViewDocument({ document }: { document: ListedDocument }) {
  return (
    <DocumentLink
      href={documentAddress(document.id)}
      className="button button-outline"
      label={`View Document: ${documentName(document)}, ${nameOf(document)} (opens in a new tab)`}
    >
      <span>View<span className="tablet-word"> Document</span></span> <Icon name="external" />
    </DocumentLink>
  );
}
