// The documents that the family sent with its application.
import { DocumentLink } from '../components/GuardedLinks.tsx';
import { Icon } from '../components/Icon.tsx';
import { dayText } from '../dates.ts';
import { documentName, documentReviews } from '../documents/types.ts';
import { useSchool } from '../school/queries.ts';
import type { ApplicationDocument } from './wire.ts';

export function RequestDocuments({ documents }: { documents: readonly ApplicationDocument[] }) {
  const { timeZone } = useSchool();
  return (
    <section className="card" aria-labelledby="documents">
      <h2 id="documents">Documents</h2>
      {documents.length === 0 && <p className="muted">None yet. “Ask for Information” asks the family for some.</p>}
      <ul className="rows bare">
        {documents.map(({ id, documentType, label, originalName, status, uploadedAt }) => (
          <li className="row" key={id}>
            <div>
              <strong>{documentName({ documentType, label })}</strong>
              <p className="muted"><bdi>{originalName}</bdi><span>{` · ${dayText(uploadedAt, timeZone, '')}`}</span></p>
            </div>
            <div className="cluster">
              {status !== 'pending_review' && <span className={`badge tone-${documentReviews[status].tone}`}>{documentReviews[status].label}</span>}
              <DocumentLink href={`/api/admin/admission-documents/${id}`} className="button button-outline" label={`View ${documentName({ documentType, label })} (opens in a new tab)`}>
                View <Icon name="external" />
              </DocumentLink>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
