// The application's page as its family sees it, with nothing to press.
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Dialog } from '../components/Dialog.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { useSchool } from '../school/queries.ts';
import { ApplicationParts } from './ApplicationParts.tsx';
import { familyViewQuery } from './decisions.ts';
import { ownWords } from './ownState.ts';

const nothing = () => undefined;

export function FamilyViewDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const view = useQuery(familyViewQuery(id));
  const { timeZone } = useSchool();
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <Dialog title="The Family’s Page" isWide onClose={onClose}>
      {view.isPending && <Spinner label="Loading the page..." />}
      {view.isError && <LoadFailed words="The page could not be loaded. Please try again later." query={view} heading={heading} />}
      {view.data && (
        <>
          <p><strong>{ownWords(view.data, timeZone)}</strong></p>
          {/* Their buttons act on their link, so here they do nothing. */}
          <fieldset className="stack own-application" disabled>
            <legend className="sr-only">Without its buttons</legend>
            <ApplicationParts token="" application={view.data} onChanged={nothing} onReload={nothing} fileAddress={(document) => `/api/admin/admission-documents/${document}`} />
          </fieldset>
        </>
      )}
    </Dialog>
  );
}
