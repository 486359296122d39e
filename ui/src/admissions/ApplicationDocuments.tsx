// The documents that the family sent with its application.
import { Icon } from '../components/Icon.tsx';
import { useDialogPart } from '../components/useDialogPart.ts';
import { dayText } from '../dates.ts';
import { documentName, documentReviews } from '../documents/types.ts';
import { useSchool } from '../school/queries.ts';
import { ownDocumentAddress, sendDocument } from './ownQueries.ts';
import { isOpen, stillWanted } from './ownState.ts';
import type { OwnApplication } from './wire.ts';

type ApplicationDocumentsProps = { token: string; application: OwnApplication; onReload: () => void; fileAddress?: (id: number) => string };

export function ApplicationDocuments({ token, application, onReload, fileAddress = ownDocumentAddress }: ApplicationDocumentsProps) {
  const { timeZone } = useSchool();
  const uploading = useDialogPart(() => import('../documents/UploadDialog.tsx'));
  const { documents, status } = application;
  const [wanted = ''] = status === 'info_requested' ? stillWanted(application) : [];
  if (!isOpen(status) && documents.length === 0) return null;
  return (
    <section className="card" aria-labelledby="documents-title">
      <div className="row card-head">
        <h2 id="documents-title">Documents</h2>
        {isOpen(status) && (
          <button type="button" className="button button-outline" onClick={uploading.open}><Icon name="upload" /> Upload a Document</button>
        )}
      </div>
      {documents.length === 0 && <p className="muted">Nothing uploaded yet. A phone photo is fine.</p>}
      <ul className="rows bare">
        {documents.map(({ id, documentType, label, originalName, status: review, uploadedAt }) => (
          <li className="row" key={id}>
            <div>
              <strong>{documentName({ documentType, label })}</strong>
              <p className="fine-print"><a href={fileAddress(id)} target="_blank" rel="noopener"><bdi>{originalName}</bdi><span className="sr-only"> (opens in a new tab)</span></a><span>{` · ${dayText(uploadedAt, timeZone, '')}`}</span></p>
            </div>
            {/* The office looks at them with the application; the review begins once there is a student. */}
            <span className={`badge tone-${review === 'pending_review' ? 'green' : documentReviews[review].tone}`}>{review === 'pending_review' ? 'Received' : documentReviews[review].label}</span>
          </li>
        ))}
      </ul>
      {uploading.part && (
        <uploading.part.UploadDialog
          send={sendDocument(token)}
          type={wanted}
          documents={null}
          onClose={uploading.close}
          onUploaded={() => {
            uploading.close();
            onReload();
          }}
        />
      )}
    </section>
  );
}
