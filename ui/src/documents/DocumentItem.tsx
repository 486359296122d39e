// An uploaded document: type, date and review status.
import type { StudentDocument } from '../api-types.ts';
import { Icon } from '../components/Icon.tsx';
import { dayText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { sizeText } from './file.ts';
import { documentAddress, documentName, documentReviews, reviewNote, signedNote } from './types.ts';

type DocumentItemProps = {
  document: StudentDocument;
  /** Uploads another one in its place; null if none is needed. */
  onReplace: (() => void) | null;
  onRemove: () => void;
};

export function DocumentItem({ document, onReplace, onRemove }: DocumentItemProps) {
  const { timeZone } = useSchool();
  const { label, tone } = documentReviews[document.status];
  const titleId = `document-${document.id}`;
  const note = reviewNote(document);

  return (
    <li>
      <span className="medallion"><Icon name="file" /></span>
      <div id={titleId}>
        <h3>{documentName(document)}</h3>
        <p>{`Uploaded ${document.isFromOffice ? 'by the office ' : ''}on ${dayText(document.createdAt, timeZone, 'an unknown date')}`}</p>
        <p><bdi>{document.originalName}</bdi><span>{` · ${sizeText(document.sizeBytes)}${document.wasSigned ? ` · ${signedNote}` : ''}`}</span></p>
        {note && <p dir="auto"><strong>{note}</strong></p>}
      </div>
      <span className={tone === 'plain' ? 'badge' : `badge tone-${tone}`}>{label}</span>
      <div className="cluster screen-only">
        {onReplace && <button type="button" className="button button-primary" aria-describedby={titleId} onClick={onReplace}>Upload a New One</button>}
        <a
          className="button button-outline"
          href={documentAddress(document.id)}
          target="_blank"
          rel="noopener"
          aria-describedby={titleId}
        >
          View Document <Icon name="external" />
        </a>
        {/* What the office has looked at belongs to the student's file. */}
        {document.isRemovable && (
          <button type="button" className="button button-quiet" aria-describedby={titleId} onClick={onRemove}>
            <Icon name="trash" /> Remove
          </button>
        )}
      </div>
    </li>
  );
}
