// Warns the office of documents whose file is lost; says nothing when there are none.
import { Link } from 'react-router';
import type { Dashboard } from '../api-types.ts';
import { FoldingNotice } from '../components/FoldingNotice.tsx';
import { Icon } from '../components/Icon.tsx';
import { paths } from '../paths.ts';

export function LostDocumentsNotice({ dashboard: { lostDocumentsCount: count } }: { dashboard: Dashboard }) {
  if (!count) return null;
  return (
    <FoldingNotice name="lost-documents" title={count === 1 ? 'The file of a document is lost' : `The files of ${count} documents are lost`}>
      <p>
        What is lost is missing from the server’s disk, or damaged. Please put another copy in its place, or write it off:
        on the student’s page, under Documents.
      </p>
      <Link className="card-link" to={paths.adminDocuments('file lost')}>View Lost Documents <Icon name="arrow" /></Link>
    </FoldingNotice>
  );
}
