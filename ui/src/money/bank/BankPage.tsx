// The bank's file: it is chosen, its lines are reviewed, and a whole import can be undone.
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router';
import type { Prefetch } from '../../accounts/guards.ts';
import type { BankImport } from '../../api-types.ts';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ListCard } from '../../components/ListCard.tsx';
import { loadPart } from '../../components/loadPart.ts';
import { PageHead } from '../../components/PageHead.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { useUrlView } from '../../components/useUrlView.ts';
import { momentText, type Zone } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { useSchool } from '../../school/queries.ts';
import { askedOf, importFile, importsQuery, statementQuery } from './bankQueries.ts';
import { MoneyNav } from '../MoneyNav.tsx';

/** With their styles, which other pages of the office need not load. */
const BankFile = lazy(async () => ({ default: (await loadPart(() => import('./BankFile.tsx'))).BankFile }));
const BankLines = lazy(async () => ({ default: (await loadPart(() => import('./BankLines.tsx'))).BankLines }));

type BankView = { id: number; page: number };

const read = (parameters: URLSearchParams): BankView => ({ id: Number(parameters.get('import')) || 0, page: Number(parameters.get('page')) || 1 });
const write = ({ id, page }: BankView): Record<string, string> => ({ ...(id > 0 && { import: String(id) }), ...(page > 1 && { page: String(page) }) });

export const prefetch: Prefetch = (client, parameters) => {
  const { id, page } = read(parameters);
  return [client.prefetchQuery(importsQuery(page)), ...(id ? [client.prefetchQuery(statementQuery(id))] : [])];
};

const titleId = 'imports';

export function BankPage() {
  const [view, show] = useUrlView<BankView>({ read, write });
  const { timeZone } = useSchool();
  const imports = useQuery(importsQuery(view.page));
  const rows = imports.data?.rows ?? [];
  // What waits comes first, otherwise the newest: chosen once, so that no other file slides in after the last decision.
  const first = (rows.find(({ waitingCount }) => waitingCount > 0) ?? rows[0])?.id;
  const [chosen, setChosen] = useState(first);
  if (chosen === undefined && first !== undefined) setChosen(first);
  const shown = view.id || chosen;
  const importing = useMutation(importFile);
  // On another page of the list it is not known whether lines wait.
  const row = rows.find(({ id }) => id === shown);
  const isWaiting = (row?.waitingCount ?? 0) > 0;
  const [wasWaiting, setWaited] = useState(isWaiting);
  if (isWaiting && !wasWaiting) setWaited(true);
  const isDone = (wasWaiting || view.id > 0) && row?.undoneAt === null;
  const step = askedOf(importing.error) ? 'Columns' : isWaiting || (view.id > 0 && !row) ? 'Review' : isDone ? 'Done' : 'File';
  return (
    <>
      <PageHead eyebrow="Money" title="Bank Import" />
      <MoneyNav current="/admin/money/bank" />
      <div className="stack bank-page">
        <Suspense fallback={<Spinner label="Loading the import..." />}>
          {!imports.isPending && <BankFile step={step} account={rows[0]?.account ?? ''} importing={importing} isFolded={isWaiting} onImported={(id) => show({ id, page: 1 })} />}
          {shown ? <BankLines key={shown} id={shown} /> : null}
        </Suspense>
        <ListCard
          titleId={titleId}
          title="Imports"
          countText={(total) => (total === 1 ? '1 file' : `${total} files`)}
          query={imports}
          page={view.page}
          onTurn={(page) => show({ ...view, page })}
          loading="Loading the imports..."
          failed="Failed to load the imports. Please try again later."
          empty={<EmptyState icon="upload" title="No file yet"><p>Download the account’s transactions from the bank as CSV, OFX or QFX, and choose the file above.</p></EmptyState>}
        >
          {(found) => (
            <Table
              labelledBy={titleId}
              columns={columns(shown, timeZone)}
              rows={found}
              name={({ account }) => account}
              isDone={({ undoneAt }) => undoneAt !== null}
            />
          )}
        </ListCard>
      </div>
    </>
  );
}

const columns = (shown: number | undefined, timeZone: Zone): Column<BankImport>[] => [
  {
    label: 'Imported',
    place: 'lead',
    cell: ({ id, account, importedAt }) => (
      <Link to={`?import=${id}`} aria-current={id === shown ? 'true' : undefined}><strong><bdi>{account}</bdi></strong><span>{` · ${momentText(importedAt, timeZone)}`}</span></Link>
    ),
  },
  { label: 'By', from: 'desk', cell: ({ by }) => by ?? '–' },
  { label: 'Lines', isNumber: true, from: 'tablet', cell: ({ lineCount }) => lineCount },
  { label: 'To review', isNumber: true, cell: ({ waitingCount, undoneAt }) => (undoneAt ? 'Undone' : waitingCount || '–') },
  { label: 'Recorded', isNumber: true, from: 'tablet', cell: ({ postedCount, postedTotal }) => (postedCount > 0 ? `${postedCount} · ${moneyText(postedTotal, '')}` : '–') },
];
