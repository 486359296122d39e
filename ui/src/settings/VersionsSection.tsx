// The history of published versions, to view and restore.
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ListedVersion } from '../api-types.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { EmptyState } from '../components/EmptyState.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { momentText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { versionsQuery } from './queries.ts';
import type { Editor } from './useDraft.ts';
import type { Steps } from './useSteps.ts';
import { joinNames } from './words.ts';

export function VersionsSection({ editor, steps }: { editor: Editor; steps: Steps }) {
  const versions = useQuery(versionsQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  const [asking, setAsking] = useState<ListedVersion | null>(null);
  const { timeZone } = useSchool();
  const isNew = editor.isDirty || editor.changes.length > 0;

  async function restore(id: number) {
    await steps.restore(id);
    setAsking(null);
  }

  return (
    <section className="card" aria-labelledby="versions">
      <h2 id="versions" ref={heading} tabIndex={-1}>History</h2>
      {versions.isPending && <Spinner label="Loading the history..." />}
      {versions.isError && <LoadFailed words="Failed to load the history. Please try again later." query={versions} heading={heading} />}
      {versions.data?.length === 0 && <EmptyState icon="clock" title="Nothing has been published yet"><p>Visitors see what the configuration says. Every version that you publish is kept here.</p></EmptyState>}
      <ul className="rows">
        {versions.data?.map((version, place) => (
          <Version
            key={version.id}
            version={version}
            when={momentText(version.publishedAt, timeZone)}
            isNewest={place === 0}
            onLook={() => steps.look(version.id)}
            onRestore={() => (isNew ? setAsking(version) : void restore(version.id))}
          />
        ))}
      </ul>
      {asking && (
        <ConfirmDialog
          title="Restore This Version?"
          confirmLabel="Restore"
          pendingLabel="Restoring..."
          cancelLabel="Keep Editing"
          isDangerous
          isPending={steps.step === 'restore'}
          onConfirm={() => void restore(asking.id)}
          onClose={() => setAsking(null)}
        >
          <p>{`The version of ${momentText(asking.publishedAt, timeZone)} replaces what is written here and not published yet.`}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

type VersionProps = { version: ListedVersion; when: string; isNewest: boolean; onLook: () => void; onRestore: () => void };

function Version({ version: { publishedBy, note, changes }, when, isNewest, onLook, onRestore }: VersionProps) {
  return (
    <li className="row">
      <div>
        <strong>{when}</strong><span> by </span><bdi>{publishedBy ?? 'the program'}</bdi>{' '}{isNewest && <span className="badge tone-green">What visitors see</span>}
        <p>{note && <><bdi>{note}</bdi><br /></>}<span className="muted">{changes.length > 0 ? joinNames(changes) : 'As the configuration says'}</span></p>
      </div>
      <div className="cluster">
        <button type="button" className="button button-quiet" aria-label={`View the version of ${when}`} onClick={onLook}>View</button>
        {!isNewest && <button type="button" className="button button-outline" aria-label={`Restore the version of ${when}`} onClick={onRestore}>Restore</button>}
      </div>
    </li>
  );
}
