// Asks why a payment is reversed, and says what happens.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Payment } from '../../api-types.ts';
import { ReasonDialog } from '../../components/ReasonDialog.tsx';
import { showToast } from '../../components/toasts.ts';
import { moneyText } from '../../money.ts';
import { moneyKeys, reversePayment } from '../moneyQueries.ts';

export function ReversePaymentDialog({ payment: { id, amount, unapplied, receiptNumber }, onClose }: { payment: Payment; onClose: () => void }) {
  const client = useQueryClient();
  const reversing = useMutation(reversePayment);
  return (
    <ReasonDialog
      title={`Reverse the payment of ${moneyText(amount, '')}?`}
      intro={<p>{`${unapplied < amount ? 'What it paid for is due again' : 'The money is no longer on account'}, and receipt ${receiptNumber} is void. If the receipt was emailed, so is this, with the reason. It cannot be undone: record the payment again instead.`}</p>}
      idPrefix="reverse"
      hint="Printed on the void receipt, which the student sees."
      wanted="Say why it is reversed, in at least 3 characters"
      submitLabel="Reverse Payment"
      pendingLabel="Reversing..."
      failed="The payment could not be reversed. Please try again."
      send={async (reason, key) => {
        await reversing.mutateAsync({ key, id, reason });
        showToast('Payment reversed', `Receipt ${receiptNumber} is void.`);
        onClose();
        for (const queryKey of moneyKeys) void client.invalidateQueries({ queryKey });
      }}
      onClose={onClose}
    />
  );
}
