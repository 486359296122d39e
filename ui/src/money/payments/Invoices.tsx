// Invoices, the newest first: issued for a term at once, emailed, and cancelled by a credit note.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useUser } from '../../accounts/signedIn.ts';
import { failureWords } from '../../api.ts';
import type { Invoice } from '../../api-types.ts';
import { ActionMenu } from '../../components/ActionMenu.tsx';
import { EmptyState } from '../../components/EmptyState.tsx';
import { ListCard } from '../../components/ListCard.tsx';
import { SearchBox } from '../../components/SearchBox.tsx';
import { type Column, Table } from '../../components/Table.tsx';
import { loadPart } from '../../components/loadPart.ts';
import { showFailure, showToast } from '../../components/toasts.ts';
import { useAction } from '../../components/useAction.ts';
import { typing_pause_ms } from '../../components/useUrlView.ts';
import { dateText } from '../../dates.ts';
import { moneyText } from '../../money.ts';
import { newKey } from '../../once.ts';
import { officePaths } from '../../officePaths.ts';
import type { CancelInvoiceDialog } from './CancelInvoiceDialog.tsx';
import { InvoiceBadge, invoiceWords } from './invoiceStates.tsx';
import { invoicesQuery, sendInvoice } from './invoices.ts';
import type { IssueInvoicesDialog } from './IssueInvoicesDialog.tsx';
import { moneyKey } from '../moneyQueries.ts';
import type { SectionProps } from '../moneyView.ts';

const titleId = 'invoices';

type OpenDialog = { Issue: typeof IssueInvoicesDialog } | { Cancel: typeof CancelInvoiceDialog; invoice: Invoice };

export function Invoices({ view, onView }: SectionProps) {
  const client = useQueryClient();
  const invoices = useQuery(invoicesQuery(view.page, view.q));
  const mayWrite = useUser().duties.includes('money');
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const opening = useAction<OpenDialog, Invoice | null>({
    mutationFn: async (invoice) =>
      invoice
        ? { invoice, Cancel: (await loadPart(() => import('./CancelInvoiceDialog.tsx'))).CancelInvoiceDialog }
        : { Issue: (await loadPart(() => import('./IssueInvoicesDialog.tsx'))).IssueInvoicesDialog },
    onSuccess: setOpened,
  });
  const sending = useAction<{ sentTo: string[] }, string>({
    mutationFn: (number) => sendInvoice(newKey(), number),
    onSuccess: ({ sentTo }, number) => {
      showToast(`Invoice ${number} sent`, sentTo.join(', '));
      void client.invalidateQueries({ queryKey: moneyKey });
    },
    onError: (error) => showFailure('The invoice could not be sent', failureWords(error, 'Please try again.')),
  });
  const close = () => setOpened(null);
  return (
    <>
      <ListCard
        titleId={titleId}
        title="Invoices"
        countText={(total) => (total === 1 ? '1 invoice' : `${total} invoices`)}
        tools={
          <>
            <SearchBox label="Search by number or student..." value={view.q} onChange={(q) => onView({ ...view, q, page: 1 }, typing_pause_ms)} />
            {mayWrite && <button type="button" className="button button-primary" onClick={() => opening.run(null)}>Issue Invoices…</button>}
          </>
        }
        query={invoices}
        page={view.page}
        onTurn={(page) => onView({ ...view, page })}
        loading="Loading invoices..."
        failed="Failed to load the invoices. Please try again later."
        empty={<EmptyState icon="dollar" title={view.q ? 'No invoice matches' : 'No invoices yet'}><p>{view.q ? 'Search by a number or a student’s name.' : 'Issue them for a term here, or for one student under Money on the student’s page.'}</p></EmptyState>}
      >
        {(found) => (
          <Table
            labelledBy={titleId}
            columns={mayWrite ? [...columns, action((number) => sending.run(number), (invoice) => opening.run(invoice))] : columns}
            rows={found}
            name={({ number }) => `invoice ${number}`}
            isDone={({ cancelledAt }) => cancelledAt !== null}
          />
        )}
      </ListCard>
      {opened && 'Issue' in opened && <opened.Issue student={null} onClose={close} />}
      {opened && 'Cancel' in opened && <opened.Cancel invoice={opened.invoice} onClose={close} />}
    </>
  );
}

const page = (number: string) => <a href={`/api/admin/invoices/${number}`} target="_blank" rel="noopener">{number}</a>;

const changedWords = 'Something on it was waived or reversed after it was issued. Cancel it and issue another, or leave it.';

const columns: Column<Invoice>[] = [
  { label: 'Student', place: 'lead', cell: ({ studentId, studentName }) => <Link to={officePaths.studentMoney(studentId)}><strong><bdi>{studentName}</bdi></strong></Link>, folded: ({ number, state }) => `${number} · ${invoiceWords(state)}` },
  { label: 'Total', isNumber: true, cell: ({ total }) => moneyText(total, '') },
  { label: 'Invoice', from: 'tablet', cell: ({ number }) => page(number) },
  { label: 'Issued', from: 'desk', cell: ({ issuedOn }) => dateText(issuedOn, '') },
  { label: 'Due', from: 'tablet', cell: ({ dueOn }) => dateText(dueOn, '') },
  {
    label: 'State',
    from: 'tablet',
    cell: ({ state, sentAt, creditNoteNumber, cancelReason }) => <><InvoiceBadge state={state} title={cancelReason ?? (state === 'changed' ? changedWords : undefined)} /> {creditNoteNumber ? page(creditNoteNumber) : <small>{sentAt ? 'sent' : 'not sent'}</small>}</>,
  },
];

const action = (onSend: (number: string) => void, onCancel: (invoice: Invoice) => void): Column<Invoice> => ({
  label: 'Action',
  place: 'action',
  cell: (invoice) => invoice.cancelledAt === null && (
    <ActionMenu
      isCompact
      label={`Send or cancel invoice ${invoice.number}`}
      items={[
        { label: invoice.sentAt ? 'Email Again' : 'Email', onPress: () => onSend(invoice.number) },
        { label: 'Cancel…', onPress: () => onCancel(invoice) },
      ]}
    />
  ),
});
