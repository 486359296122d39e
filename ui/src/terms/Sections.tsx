// The sections of a term: what can be done with all of them, warnings, and the sheet.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { OfficeSection, Term } from '../api-types.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { Icon } from '../components/Icon.tsx';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { useDialogPart } from '../components/useDialogPart.ts';
import { usePartLater } from '../components/usePartLater.ts';
import { UndoButton } from '../enrollments/UndoButton.tsx';
import { Clashes } from './Clashes.tsx';
import { openPlanned, refreshSections, sectionsQuery, showSaved } from './queries.ts';
import type { SectionAct, NotifiedChange } from './told.ts';
import { tellFailure } from './words.ts';
import '../components/ListCard.css';
import './terms.css';

type OpenDialog = { kind: SectionAct; section: OfficeSection } | { kind: 'add'; section: null };

export function Sections({ term, mayChange }: { term: Term; mayChange: boolean }) {
  const client = useQueryClient();
  const sections = useQuery(sectionsQuery(term.id));
  const heading = useRef<HTMLHeadingElement>(null);
  const [asked, setAsked] = useState<OpenDialog | null>(null);
  const [told, setTold] = useState<NotifiedChange | null>(null);
  // Its cells are shared with few pages.
  const table = usePartLater(() => import('./SectionTable.tsx'), true);
  const dialogs = useDialogPart(() => import('./SectionDialogs.tsx'));
  const rows = sections.data ?? [];
  const planned = rows.filter(({ status }) => status === 'planned');

  function ask(next: OpenDialog) {
    setAsked(next);
    dialogs.open();
  }

  /** After a change: shows it, and Undo while its emails wait. */
  function changed(saved: OfficeSection, next: NotifiedChange | null) {
    showSaved(client, saved);
    refreshSections(client);
    if (next) setTold(next);
  }

  const opening = useAction({
    mutationFn: () => openPlanned(term.id),
    onSuccess: (opened) => {
      client.setQueryData(sectionsQuery(term.id).queryKey, opened);
      refreshSections(client);
      showToast('Sections open', `${planned.length === 1 ? '1 section takes' : `${planned.length} sections take`} requests${term.isPublished ? '.' : ' once the term is published.'}`);
    },
    onError: tellFailure,
  });

  return (
    <>
      <div role="status">
        {told && (
          <p className="row tinted section-told">
            <span id="section-told">{told.words}</span>
            <UndoButton
              key={told.decided.undo?.id}
              describedBy="section-told"
              decided={told.decided}
              onUndone={() => {
                setTold(null);
                refreshSections(client);
                heading.current?.focus();
              }}
            />
          </p>
        )}
      </div>
      <Clashes sections={rows} />
      <section className="card list-card" aria-labelledby="sections">
        <header className="row list-head">
          <div>
            <h2 id="sections" ref={heading} tabIndex={-1}>Sections</h2>
            <p className="muted" role="status">{sections.data && countText(rows)}</p>
          </div>
          {mayChange && (
            <div className="cluster list-tools">
              {(planned.length > 0 || opening.isPending) && (
                <button type="button" className="button button-outline" aria-disabled={opening.isPending} onClick={() => opening.run()}>
                  {opening.isPending ? 'Opening...' : `Open All ${planned.length} Planned`}
                </button>
              )}
              <button type="button" className="button button-primary" onClick={() => ask({ kind: 'add', section: null })}><Icon name="plus" /> Add a Section</button>
            </div>
          )}
        </header>
        {sections.isPending && <Spinner label="Loading sections..." />}
        {sections.isError && <LoadFailed words="Failed to load sections. Please try again later." query={sections} heading={heading} />}
        {sections.data?.length === 0 && (
          <EmptyState icon="calendar" title="No sections yet">
            <p>{mayChange ? 'Add the first one, or copy a term of last year: it comes with its sections.' : 'They will be listed here.'}</p>
          </EmptyState>
        )}
        {rows.length > 0 && table && <table.SectionTable sections={rows} mayChange={mayChange} onChanged={changed} onAsk={(kind, section) => ask({ kind, section })} />}
        {dialogs.part && asked && (
          <dialogs.part.SectionDialogs
            key={`${asked.kind}-${asked.section?.id}`}
            {...asked}
            term={term}
            onChanged={changed}
            onClose={dialogs.close}
          />
        )}
      </section>
    </>
  );
}

function countText(rows: readonly OfficeSection[]): string {
  const waiting = rows.reduce((sum, row) => sum + row.waiting, 0);
  const taken = rows.reduce((sum, row) => sum + row.taken, 0);
  return `${rows.length === 1 ? '1 section' : `${rows.length} sections`}, ${taken === 1 ? '1 seat' : `${taken} seats`} taken${waiting > 0 ? `, ${waiting} waiting` : ''}`;
}
