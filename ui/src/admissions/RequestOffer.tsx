// The offer that was made, and the admission that came of it.
import { Link } from 'react-router';
import { dateText, momentText } from '../dates.ts';
import { moneyText } from '../money.ts';
import { officePaths } from '../officePaths.ts';
import { useSchool } from '../school/queries.ts';
import { depositOf } from './deposit.ts';
import type { RequestFile } from './wire.ts';

const admissionWords = { active: 'Active', completed: 'Completed', cancelled: 'Cancelled' } as const;

export function RequestOffer({ request }: { request: RequestFile }) {
  const { offer, admission, status, studentId } = request;
  const deposit = depositOf(request);
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
        {offer && offer.deposit !== null && (
          <div>
            <dt>Deposit</dt>
            <dd>
              <span>{moneyText(offer.deposit, '–')}</span>
              {offer.depositDueOn && <small>{`due ${dateText(offer.depositDueOn, '')}`}</small>}
              {deposit && deposit.left > 0 && <small>{deposit.received > 0 ? `${moneyText(deposit.received, '')} received, ${moneyText(deposit.left, '')} to come` : 'not received yet'}</small>}
              {deposit && deposit.left === 0 && deposit.received > 0 && <small>received</small>}
            </dd>
          </div>
        )}
        {offer && !offer.acceptedAt && <div><dt>Answer by</dt><dd>{dateText(offer.expiresOn, '–')}</dd></div>}
        {offer?.acceptedAt && <div><dt>Accepted by</dt><dd><bdi>{offer.acceptedName}</bdi><small>{momentText(offer.acceptedAt, timeZone)}</small></dd></div>}
        {offer?.conditions && <div className="is-wide"><dt>Conditions</dt><dd className="written" dir="auto">{offer.conditions}</dd></div>}
      </dl>
      {admission && studentId === null && <p className="ruled">No student is linked: the address belongs to an account that the program could not match. Use “Link to a Student” under More.</p>}
      {admission && studentId !== null && <p className="ruled"><Link to={officePaths.student(studentId)}>Open the student</Link></p>}
    </section>
  );
}
