// A student's documents on paper: a statement of any period, and an invoice of what is on none.
import { useState } from 'react';
import { Link } from 'react-router';
import { failureWords } from '../../api.ts';
import { showFailure, showToast } from '../../components/toasts.ts';
import { useAction } from '../../components/useAction.ts';
import { useDialogPart } from '../../components/useDialogPart.ts';
import { newKey } from '../../once.ts';
import { officePaths } from '../../officePaths.ts';
import { sendStatement } from './invoices.ts';
import { type Period, StatementOf } from './StatementOf.tsx';

type PapersCardProps = { student: { id: number; name: string }; mayWrite: boolean };

export function PapersCard({ student, mayWrite }: PapersCardProps) {
  const dialog = useDialogPart(() => import('./IssueInvoicesDialog.tsx'));
  const [key, setKey] = useState(newKey);
  const sending = useAction<{ sentTo: string[] }, Period>({
    mutationFn: (period) => sendStatement(key, student.id, period),
    onSuccess: ({ sentTo }) => {
      showToast('Statement sent', sentTo.join(', '));
      setKey(newKey());
    },
    onError: (error) => showFailure('The statement could not be sent', failureWords(error, 'Please try again.')),
  });
  return (
    <section className="card" aria-labelledby="money-papers">
      <h2 id="money-papers">Statement and Invoices</h2>
      <p className="muted">Leave the days empty for everything until today. <Link to={`${officePaths.money()}?${new URLSearchParams({ show: 'invoices', q: student.name })}`}>See the invoices</Link></p>
      <StatementOf path={`/api/admin/students/${student.id}/statement`}>
        {(period) => mayWrite && (
          <>
            <button type="button" className="button button-outline" aria-disabled={sending.isPending} onClick={() => sending.run(period)}>Email It</button>
            <button type="button" className="button button-outline" aria-disabled={dialog.isPending} onClick={dialog.open}>Issue Invoice…</button>
          </>
        )}
      </StatementOf>
      {dialog.part && <dialog.part.IssueInvoicesDialog student={student} onClose={dialog.close} />}
    </section>
  );
}
