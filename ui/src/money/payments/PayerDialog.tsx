// Records a payment of any student: who it is from is searched first.
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { SearchResult } from '../../api-types.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { LoadFailed } from '../../components/LoadFailed.tsx';
import { Spinner } from '../../components/Spinner.tsx';
import { Finder } from '../../staff/Finder.tsx';
import { studentFindings } from '../../staff/search.ts';
import { ledgerQuery } from '../moneyQueries.ts';
import { RecordPaymentDialog } from './RecordPaymentDialog.tsx';

type Payer = { id: number; name: string };

/** Without `payer` it is asked for. */
export function PayerDialog({ payer: known, onClose }: { payer?: Payer; onClose: () => void }) {
  const [payer, setPayer] = useState(known);
  const ledger = useQuery({ ...ledgerQuery(payer?.id ?? 0), enabled: payer !== undefined });
  // The form takes the focus itself.
  const nowhere = useRef(null);
  if (payer && ledger.data) return <RecordPaymentDialog student={payer} items={ledger.data.perItem} onClose={onClose} />;
  return (
    <Dialog title="Record Payment" onClose={onClose}>
      {!payer && <Finder label="Student" placeholder="Name, number, email or phone of the student" list={payers} hint={hintOf} onOpen={setPayer} />}
      {payer && ledger.isPending && <Spinner label={`Loading what ${payer.name} owes...`} />}
      {payer && ledger.isError && <LoadFailed words={`Failed to load what ${payer.name} owes. Please try again later.`} query={ledger} heading={nowhere} />}
    </Dialog>
  );
}

/** A closed account takes no payments. */
const payers = (result: SearchResult) => studentFindings(result).filter(({ status }) => status !== 'closed');

function hintOf(count: number): string {
  if (count === 0) return 'No student found. The payment of an applicant is recorded on the admission request.';
  return count === 1 ? '1 found. Enter chooses it.' : `${count} found. Arrow keys move, Enter chooses.`;
}
