// The documents that the family sent with its application.
import { DocumentLink } from '../components/GuardedLinks.tsx';
import { Icon } from '../components/Icon.tsx';
import { dayText } from '../dates.ts';
import { documentName, documentReviews } from '../documents/types.ts';
import { useSchool } from '../school/queries.ts';
import { useChange } from './decisions.ts';
import type { RequestFile } from './wire.ts';

export function RequestDocuments({ request: { id, documents, studentId }, mayDecide }: { request: RequestFile; mayDecide: boolean }) {
  const { timeZone } = useSchool();
  const change = useChange(id);
  const waits = studentId !== null && documents.some(({ movedTo }) => movedTo === null);
  return (
    <section className="card" aria-labelledby="documents">
      <h2 id="documents">Documents</h2>
      {documents.length === 0 && <p className="muted">None yet. “Ask for Information” asks the family for some.</p>}
      {waits && (
        <div className="row">
          <p className="muted">They become the student’s once an address of the application has opened the student account, or the family has confirmed its address.</p>
          {mayDecide && <button type="button" className="button button-outline" aria-disabled={change.isPending} onClick={() => !change.isPending && change.mutate({ verb: 'link', body: { studentId } })}>Hand Over Now</button>}
        </div>
      )}
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
