// A student's documents, which open in a new tab; each view is audited.
import { useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import { failureWords } from '../api.ts';
import type { StudentDocument } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { DocumentLink } from '../components/GuardedLinks.tsx';
import { Icon } from '../components/Icon.tsx';
import { loadPart } from '../components/loadPart.ts';
import { showFailure } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { useDialogPart } from '../components/useDialogPart.ts';
import { dayText } from '../dates.ts';
import { faultNotes } from '../documents/faults.ts';
import { sizeText } from '../documents/file.ts';
import { documentAddress, documentName, documentReviews, examinationNotes, reviewNote, signedNote } from '../documents/types.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { officePaths } from '../officePaths.ts';
import { useSchool } from '../school/queries.ts';
import type { LostFileDialogProps } from './LostFileDialogs.tsx';
import type { PanelProps } from './tabs.ts';
import { nameOf } from './words.ts';

export function DocumentsPanel({ file }: PanelProps) {
  const { student, documents, wanted } = file;
  const waiving = useDialogPart(() => import('./WaiveDialog.tsx'));
  const client = useQueryClient();
  const { part, isPending, open, close } = useDialogPart(() => import('../documents/UploadDialog.tsx'));
  const waived = (file.waivers ?? []).map(({ label }) => label);
  const mayUpload = useUser().duties.includes('students') && student.status !== 'closed';
  const missing = (wanted ?? []).flatMap(({ documentType, isWithOffice, label }) => (documentType && !isWithOffice ? [label] : []));
  return (
    <>
      <div className="row file-tools">
        <p>{missing.length > 0 && <><span>Still needed: </span><strong>{missing.join(', ')}</strong></>}</p>
        {mayUpload && documents && documents.length > 0 && <Link className="button button-quiet screen-only" to={officePaths.documents(student.email)}>Decide</Link>}
        {mayUpload && (missing.length > 0 || waived.length > 0) && <button type="button" className="button button-quiet screen-only" aria-disabled={waiving.isPending} onClick={waiving.open}>Not Needed...</button>}
        {mayUpload && (
          <button type="button" className="button button-outline screen-only" aria-disabled={isPending} onClick={open}><Icon name="upload" /> Upload for the Student</button>
        )}
      </div>
      {waived.length > 0 && <p className="muted">{`Not needed: ${waived.join(', ')}`}</p>}
      {waiving.part && <waiving.part.WaiveDialog file={file} onClose={waiving.close} />}
      {part && (
        <part.UploadDialog
          documents={documents}
          student={{ id: student.id, name: nameOf({ id: student.id, fullName: student.fullName }) }}
          onClose={close}
          onUploaded={() => {
            void client.invalidateQueries({ queryKey: recordsKey });
            close();
          }}
        />
      )}
      {documents?.length === 0 && <EmptyState icon="file" title="No documents"><p>This student has not uploaded any documents yet.</p></EmptyState>}
      {documents && documents.length > 0 && (
        <ul className="card rows bare">
          {documents.map((document) => <li className="row" key={document.id}><Item document={document} mayMend={mayUpload} /></li>)}
        </ul>
      )}
    </>
  );
}

/** Actions for a lost file; their dialogs are lazy-loaded. */
function LostFileActions({ document }: { document: StudentDocument }) {
  const [opened, setOpened] = useState<{ Dialog: ComponentType<LostFileDialogProps> } | null>(null);
  const opening = useAction({
    mutationFn: async (what: 'ReplaceFileDialog' | 'WriteOffDialog') => (await loadPart(() => import('./LostFileDialogs.tsx')))[what],
    onSuccess: (Dialog) => setOpened({ Dialog }),
    onError: (error) => showFailure('That could not be opened', failureWords(error, error.message)),
  });
  return (
    <>
      <button type="button" className="button button-outline" onClick={() => opening.run('ReplaceFileDialog')}>Replace with Another Copy</button>
      {document.fault !== 'written_off' && <button type="button" className="button button-quiet" onClick={() => opening.run('WriteOffDialog')}>Write Off</button>}
      {opened && <opened.Dialog document={document} onClose={() => setOpened(null)} />}
    </>
  );
}

function Item({ document, mayMend }: { document: StudentDocument; mayMend: boolean }) {
  const { id, originalName, sizeBytes, uploadedAt, status, isFromOffice, wasSigned, examination, fault } = document;
  const { timeZone } = useSchool();
  const { duties } = useUser();
  const { label, tone } = documentReviews[status];
  return (
    <>
      <div>
        <strong>{documentName(document)}</strong>
        <p className="muted"><bdi>{originalName}</bdi><span>{` · ${sizeText(sizeBytes)} · ${dayText(uploadedAt, timeZone, '')}${isFromOffice ? ' · by the office' : ''}${wasSigned ? ` · ${signedNote}` : ''}`}</span></p>
        {reviewNote(document) && <p dir="auto">{reviewNote(document)}</p>}
        {fault && <p><strong>{faultNotes[fault]}</strong></p>}
          {examinationNotes[examination] && <p className="muted">{examinationNotes[examination]}</p>}
      </div>
      <div className="cluster">
        <span className={`badge tone-${tone}`}>{label}</span>
        {fault && mayMend && <LostFileActions document={document} />}
        {duties.includes('documents') && !fault && (
          <DocumentLink href={documentAddress(id)} className="button button-outline" label={`View ${documentName(document)} (opens in a new tab)`}>
            View <Icon name="external" />
          </DocumentLink>
        )}
      </div>
    </>
  );
}
