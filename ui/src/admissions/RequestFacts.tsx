// What the family wrote about the student, itself and its wishes.
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { PhoneNumber } from '../components/PhoneNumber.tsx';
import { useDialogPart } from '../components/useDialogPart.ts';
import { dateText } from '../dates.ts';
import { paths } from '../paths.ts';
import { countryText } from '../school/country.ts';
import { mailLink } from '../school/links.ts';
import { relationships } from './relationships.ts';
import { capitalized } from './requests.ts';
import type { RequestFile } from './wire.ts';

export function RequestFacts({ request, mayDecide }: { request: RequestFile; mayDecide: boolean }) {
  const editing = useDialogPart(() => import('./EditRequestDialog.tsx'));
  const { dateOfBirth, previousSchool, email, phone, address, city, province, postalCode, country, startTerm, wantedCourses, message } = request;
  const { guardianName, guardianEmail, guardianPhone, relationship, gender, language } = request;
  const place = [[city, province].filter(Boolean).join(', '), postalCode, countryText(country)].filter(Boolean).join(' · ');
  return (
    <section className="card" aria-labelledby="facts">
      <div className="row card-head">
        <h2 id="facts">Application</h2>
        {mayDecide && <button type="button" className="button button-quiet" onClick={editing.open}>Edit</button>}
      </div>
      <dl className="grid">
        <Fact term="Date of birth">{dateText(dateOfBirth, 'Not provided')}</Fact>
        {gender && <Fact term="Gender">{capitalized(gender)}</Fact>}
        {language === 'fr' && <Fact term="Preferred language">French</Fact>}
        <Fact term="Previous school"><bdi>{previousSchool || 'Not provided'}</bdi></Fact>
        <Fact term="Start"><bdi>{startTerm || 'Not provided'}</bdi></Fact>
        <Fact term="Email"><a href={mailLink(email)}><EmailAddress address={email} /></a></Fact>
        <Fact term="Phone"><PhoneNumber number={phone} /></Fact>
        <Fact term="Address"><span className="written" dir="auto">{address}</span><small>{place}</small></Fact>
        {guardianName && (
          <Fact term={relationship ? relationships[relationship] : 'Parent or guardian'}>
            <bdi>{guardianName}</bdi>
            {guardianEmail && <small><a href={mailLink(guardianEmail)}><EmailAddress address={guardianEmail} /></a></small>}
            {guardianPhone && <small><PhoneNumber number={guardianPhone} /></small>}
          </Fact>
        )}
        {wantedCourses.length > 0 && (
          <Fact term="Courses"><span className="cluster">{wantedCourses.map((code) => <Link key={code} to={paths.course(code)}>{code}</Link>)}</span></Fact>
        )}
      </dl>
      {message && <div className="ruled"><h3>Message</h3><p className="written" dir="auto">{message}</p></div>}
      {editing.part && <editing.part.EditRequestDialog request={request} onClose={editing.close} />}
    </section>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return <div><dt>{term}</dt><dd>{children}</dd></div>;
}
