// Charges at today's price every listed enrollment whose course has one by now.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { failureWords } from '../api.ts';
import type { UnpricedEnrollment } from '../api-types.ts';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import type { Decision } from '../components/useStableRows.ts';
import { moneyText } from '../money.ts';
import { newKey } from '../once.ts';
import { postCharges } from './queries.ts';

/** As many as one request takes. */
const most = 200;

type ChargeAllProps = { rows: readonly UnpricedEnrollment[]; onCharged: (id: number, decision: Decision) => void };

export function ChargeAll({ rows, onCharged }: ChargeAllProps) {
  const [key, setKey] = useState<string | null>(null);
  const posting = useMutation(postCharges);
  const priced = rows.flatMap(({ id, current_fee: amount }) => (amount ? [{ enrollmentId: id, amount }] : [])).slice(0, most);
  const total = priced.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0) / 100;

  async function post() {
    try {
      const { results } = await posting.mutateAsync({ key: key ?? newKey(), rows: priced });
      for (const { id, ok, row, status, message } of results) {
        const why = status === 409 || status === 404 ? 'Already charged or ended' : (message ?? 'Please try again');
        onCharged(id, ok ? { status: `${moneyText(row?.entry?.amount, '')} charged`, words: null } : { status: 'Not charged', words: why });
      }
      const count = results.filter(({ ok }) => ok).length;
      showToast(count === 1 ? '1 charge posted' : `${count} charges posted`, 'The students get an email.');
    } catch (error) {
      showFailure('Failed to post the charges', failureWords(error, 'Please try again: each is posted once.'));
    }
    setKey(null);
  }

  if (priced.length < 2) return null;
  return (
    <>
      <button type="button" className="button button-primary" onClick={() => setKey(newKey())}>{`Charge All ${priced.length} With a Price`}</button>
      {key !== null && (
        <ConfirmDialog
          title="Charge at Today’s Prices?"
          confirmLabel={`Post ${priced.length} Charges`}
          pendingLabel="Posting..."
          isPending={posting.isPending}
          onConfirm={() => void post()}
          onClose={() => !posting.isPending && setKey(null)}
        >
          <p>{`${priced.length} enrollments are charged ${moneyText(total, '')} in all, each at what its course costs today, due as usual. Each student gets an email.`}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
