// Asks why an invoice is cancelled, and says what happens.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import type { Invoice } from '../../api-types.ts';
import { ReasonDialog } from '../../components/ReasonDialog.tsx';
import { showToast } from '../../components/toasts.ts';
import { cancelInvoice } from './invoices.ts';
import { moneyKey } from '../moneyQueries.ts';

export function CancelInvoiceDialog({ invoice: { number, sentAt }, onClose }: { invoice: Invoice; onClose: () => void }) {
  const client = useQueryClient();
  const cancelling = useMutation({ mutationFn: ({ key, reason }: { key: string; reason: string }) => cancelInvoice(key, number, reason) });
  return (
    <ReasonDialog
      title={`Cancel invoice ${number}?`}
      intro={<p>{`A credit note cancels it, and what was on it can be invoiced again. Balances don’t change.${sentAt ? ' The student gets an email with the credit note.' : ''}`}</p>}
      idPrefix="cancel-invoice"
      hint="Printed on the credit note, which the student sees."
      wanted="Say why it is cancelled, in at least 3 characters"
      submitLabel="Cancel Invoice"
      pendingLabel="Cancelling..."
      failed="The invoice could not be cancelled. Please try again."
      send={async (reason, key) => {
        const { creditNoteNumber } = await cancelling.mutateAsync({ key, reason });
        showToast('Invoice cancelled', `With credit note ${creditNoteNumber}.`);
        flushSync(onClose);
        // The row has no more actions.
        document.getElementById('invoices')?.focus();
        void client.invalidateQueries({ queryKey: moneyKey });
      }}
      onClose={onClose}
    />
  );
}
