// What the family told the school, with the ways to correct it or to withdraw.
import { EmailAddress } from '../components/EmailAddress.tsx';
import { useDialogPart } from '../components/useDialogPart.ts';
import { dateText } from '../dates.ts';
import { countryText } from '../school/country.ts';
import { isCorrectable } from './ownState.ts';
import type { OwnApplication } from './wire.ts';

type FactsProps = { token: string; application: OwnApplication; mayWithdraw: boolean; onChanged: (now: OwnApplication) => void };

export function ApplicationFacts({ token, application, mayWithdraw, onChanged }: FactsProps) {
  const correcting = useDialogPart(() => import('./ContactDialog.tsx'));
  const ending = useDialogPart(() => import('./EndDialog.tsx'));
  const { grade, dateOfBirth, email, phone, address, city, province, postalCode, country, guardianName, guardianEmail, guardianPhone, status } = application;
  const place = [[city, province].filter(Boolean).join(', '), postalCode, countryText(country)].filter(Boolean).join(' · ');
  return (
    <aside className="card" aria-labelledby="facts-title">
      <h2 id="facts-title">Your Details</h2>
      <dl className="stack own-facts">
        <div><dt>Grade</dt><dd>{grade}</dd></div>
        <div><dt>Date of birth</dt><dd>{dateText(dateOfBirth, 'Not provided')}</dd></div>
        <div><dt>Email</dt><dd><EmailAddress address={email} /></dd></div>
        <div><dt>Phone</dt><dd>{phone}</dd></div>
        <div><dt>Address</dt><dd><span className="written" dir="auto">{address}</span><small>{place}</small></dd></div>
        {guardianName && <div><dt>Parent or guardian</dt><dd><bdi>{guardianName}</bdi><small>{[guardianEmail, guardianPhone].filter(Boolean).join(' · ')}</small></dd></div>}
      </dl>
      {isCorrectable(status) && <button type="button" className="button button-outline" onClick={correcting.open}>Correct Contact Details</button>}
      {!isCorrectable(status) && mayWithdraw && <p className="fine-print">To change something now, please contact the office.</p>}
      {mayWithdraw && <p className="ruled"><button type="button" className="button button-quiet" onClick={ending.open}>Withdraw the Application…</button></p>}
      {correcting.part && <correcting.part.ContactDialog token={token} application={application} onChanged={onChanged} onClose={correcting.close} />}
      {ending.part && <ending.part.EndDialog token={token} verb="withdraw" onChanged={onChanged} onClose={ending.close} />}
    </aside>
  );
}
