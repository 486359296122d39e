// A document beside the list: its details and, for an image, its picture. PDFs open in a new tab.
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { ListedDocument } from '../api-types.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { SidePane } from '../components/SidePane.tsx';
import { dayText } from '../dates.ts';
import { officePaths } from '../officePaths.ts';
import { useSchool } from '../school/queries.ts';
import { sizeText } from './file.ts';
import { DocumentReview, nameOf, ViewDocument, warningOf } from './listed.tsx';
import { documentAddress, documentName, signedNote } from './types.ts';

type DocumentPaneProps = { document: ListedDocument; onClose: () => void };

export function DocumentPane({ document, onClose }: DocumentPaneProps) {
  const { timeZone } = useSchool();
  const heading = useRef<HTMLHeadingElement>(null);
  const [isFailed, setIsFailed] = useState(false);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const { id, student, studentId, uploadedAt, originalName, sizeBytes, wasSigned, contentType } = document;
  const warning = warningOf(document);
  const isPicture = contentType.startsWith('image/') && !warning;
  return (
    <SidePane eyebrow={nameOf(document)} title={documentName(document)} heading={heading} onClose={onClose}>
      <p className="cluster muted"><span>{dayText(uploadedAt, timeZone, 'Unknown date')}</span><DocumentReview status={document.status} /></p>
      <div className="cluster">
        <ViewDocument document={document} />
        <Link className="button button-quiet" to={officePaths.student(studentId)}>Student’s Page</Link>
      </div>
      <dl className="pairs">
        <div><dt>Email</dt><dd><EmailAddress address={student.email} /></dd></div>
        <div><dt>File</dt><dd><bdi>{originalName}</bdi><span>{` · ${sizeText(sizeBytes)}${wasSigned ? `, ${signedNote}` : ''}`}</span></dd></div>
        {warning && <div><dt>Opening</dt><dd className="flag">{warning}</dd></div>}
      </dl>
      {isPicture && !isFailed && <img src={documentAddress(id)} alt={`${documentName(document)} of ${nameOf(document)}`} onError={() => setIsFailed(true)} />}
      {isFailed && <p role="alert">The picture could not be shown here. Please open it with “View Document”.</p>}
      {!isPicture && !warning && <p className="fine-print">A PDF opens in a tab of its own.</p>}
    </SidePane>
  );
}
