// The offer that was made, and the admission that came of it.
import { Link } from 'react-router';
import type { Deposit } from '../api-types.ts';
import { dateText, momentText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { officePaths } from '../officePaths.ts';
import { useSchool } from '../school/queries.ts';
import { partsText } from './partWords.ts';
import type { RequestFile } from './wire.ts';

/** What of a deposit has been received. */
function depositWords({ received, due }: Deposit): string {
  if (due === 0) return 'received';
  return received > 0 ? `${moneyText(received, '')} received, ${moneyText(due, '')} to come` : 'not received yet';
}

const admissionWords = { active: 'Active', completed: 'Completed', cancelled: 'Cancelled' } as const;

export function RequestOffer({ request }: { request: RequestFile }) {
  const { offer, admission, status, studentId, feeParts, deposit } = request;
  const { timeZone } = useSchool();
  if (!offer && !admission) return null;
  return (
    <section className="card brass-edge" aria-labelledby="offer">
      <h2 id="offer">{admission ? 'Admission' : status === 'offered' ? 'Offer' : 'Last Offer'}</h2>
      <dl className="grid">
        {admission && (
          <>
            <div><dt>Admission</dt><dd>{admissionWords[admission.status]}</dd></div>
            <div><dt>Fee</dt><dd>{moneyText(admission.feeDue, '–')}</dd></div>
            <div><dt>Received</dt><dd>{moneyText(admission.feePaid, '–')}</dd></div>
          </>
        )}
        {offer && !admission && <div><dt>Fee</dt><dd>{moneyText(offer.feeDue, '–')}</dd></div>}
        {feeParts.length > 0 && <div><dt>Payable</dt><dd>{partsText(feeParts)}</dd></div>}
        {deposit && <div><dt>Deposit</dt><dd><span>{moneyText(deposit.amount, '')}</span><small>{depositWords(deposit)}</small></dd></div>}
        {offer && !offer.acceptedAt && <div><dt>Answer by</dt><dd>{dateText(offer.expiresOn, '–')}</dd></div>}
        {offer?.acceptedAt && <div><dt>Accepted by</dt><dd><bdi>{offer.acceptedName}</bdi><small>{momentText(offer.acceptedAt, timeZone)}</small></dd></div>}
        {offer?.conditions && <div className="is-wide"><dt>Conditions</dt><dd className="written" dir="auto">{offer.conditions}</dd></div>}
      </dl>
      {admission && studentId === null && <p className="ruled">No student is linked: the address belongs to an account that the program could not match. Use “Link to a Student” under More.</p>}
      {admission && studentId !== null && <p className="ruled"><Link to={officePaths.student(studentId)}>Open the student</Link></p>}
    </section>
  );
}
