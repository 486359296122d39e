// The student's uploads (section 2, Documents), newest first.
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { failureWords } from '../api.ts';
import type { DocumentType, StudentDocument } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { Icon } from '../components/Icon.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { loadPart } from '../components/loadPart.ts';
import { Spinner } from '../components/Spinner.tsx';
import { showFailure } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { useDialogPart } from '../components/useDialogPart.ts';
import { DocumentItem } from './DocumentItem.tsx';
import { documentUsageQuery, ownDocumentsQuery } from './queries.ts';
import type { RemoveDialog } from './RemoveDialog.tsx';
import { needsNewUpload } from './replacement.ts';
import { noRoomId, StorageUsed } from './StorageUsed.tsx';
import './documents.css';

export function DocumentsTab() {
  const documents = useQuery(ownDocumentsQuery);
  const usage = useQuery(documentUsageQuery).data;
  const isFull = Boolean(usage?.refusal);
  const [removing, setRemoving] = useState<{ document: StudentDocument; RemoveDialog: typeof RemoveDialog } | null>(null);
  // Lazy-loaded, since it is rarely used.
  const opening = useAction({
    mutationFn: async (document: StudentDocument) => ({ document, ...(await loadPart(() => import('./RemoveDialog.tsx'))) }),
    onSuccess: setRemoving,
    onError: (error) => showFailure('That could not be opened', failureWords(error, '')),
  });
  const upload = useDialogPart(() => import('./UploadDialog.tsx'));
  const [type, setType] = useState<DocumentType | ''>('');
  const heading = useRef<HTMLHeadingElement>(null);

  function openUpload(preselected: DocumentType | '') {
    setType(preselected);
    upload.open();
  }

  function finish() {
    flushSync(() => {
      upload.close();
      setRemoving(null);
    });
    heading.current?.focus();
  }

  return (
    <>
      <header className="row panel-head">
        <div>
          <h2 ref={heading} tabIndex={-1}>Documents</h2>
          <p className="muted">Only you and the school’s office can open them. Each opens in a new tab.</p>
        </div>
        {/* Not `disabled`, so that keyboard users hear the reason. */}
        <button
          type="button"
          className="button button-primary"
          aria-disabled={isFull}
          aria-describedby={isFull ? noRoomId : undefined}
          onClick={() => !isFull && openUpload('')}
        >
          <Icon name="upload" /> Upload New Document
        </button>
      </header>
      <StorageUsed usage={usage} />
      {documents.isPending && <Spinner label="Loading your documents..." />}
      {documents.isError && (
        <LoadFailed words="Failed to load your documents. Please try again later." query={documents} heading={heading} />
      )}
      {documents.data?.length === 0 && (
        <EmptyState icon="file" title="No documents yet">
          <p>Please upload your government ID and your latest school transcript, so that the office can review your enrollment.</p>
        </EmptyState>
      )}
      {documents.data && documents.data.length > 0 && (
        <ul className="card rows bare documents">
          {documents.data.map((document) => (
            <DocumentItem
              key={document.id}
              document={document}
              onReplace={!isFull && needsNewUpload(document, documents.data) ? () => openUpload(document.documentType) : null}
              onRemove={() => opening.run(document)}
            />
          ))}
        </ul>
      )}
      {upload.part && <upload.part.UploadDialog type={type} documents={documents.data} onClose={upload.close} onUploaded={finish} />}
      {removing && (
        <removing.RemoveDialog
          document={removing.document}
          documents={documents.data ?? []}
          onClose={() => setRemoving(null)}
          onDone={finish}
        />
      )}
    </>
  );
}
