// The page on which a family applies: the two ways to study here, and the form for a place.
import { Link, useSearchParams } from 'react-router';
import { PageHeader } from '../components/PageHeader.tsx';
import { SchoolIcon } from '../components/SchoolIcon.tsx';
import { SiteIcon } from '../components/SiteIcon.tsx';
import { paths } from '../paths.ts';
import { isTemplate, PlainForm, When } from '../template.tsx';
import { readReference } from './apply.ts';
import { ApplicationSent } from './ApplicationSent.tsx';
import { ApplyForm } from './ApplyForm.tsx';
import '../components/bands.css';
import './ApplyPage.css';

export function ApplyPage() {
  const [parameters] = useSearchParams();
  const sent = parameters.get('sent');
  const reference = isTemplate && sent !== null ? '{{ reference }}' : readReference(sent);

  return (
    <>
      <PageHeader eyebrow="Admissions" title="Apply">
        {reference ? 'Thank you. The office reads every application and answers by email.' : 'Two ways to study here. Both begin online, and neither commits you to anything.'}
      </PageHeader>
      {reference ? <ApplicationSent reference={reference} /> : <Application />}
    </>
  );
}

function Application() {
  return (
    <>
      {/* A refused form comes first: what is wrong with it is seen at once. */}
      <When is={false} template="form" otherwise={<Doors />}><></></When>
      <div className="band band-tint">
        <div className="wrap split apply">
          <section className="card" id="application" aria-labelledby="application-title">
            <PlainForm><ApplyForm /></PlainForm>
          </section>
          <aside aria-labelledby="afterwards">
            <h2 id="afterwards">What Happens Next</h2>
            <ol className="stations milestones-down">
              <li><h3>Received</h3><p>You get an email with a reference and a link to your application.</p></li>
              <li><h3>In review</h3><p>The office reads it. If something is missing, we ask for it by email.</p></li>
              <li><h3>Decision</h3><p>An offer states the fee and the conditions before you agree to anything.</p></li>
              <li><h3>Your answer</h3><p>Accept or decline online. An offer you accept becomes a place.</p></li>
            </ol>
          </aside>
        </div>
      </div>
    </>
  );
}

function Doors() {
  return (
    <section className="wrap band" aria-labelledby="doors">
      <h2 id="doors">What are you looking for?</h2>
      <ul className="grid cards cards-wide doors">
        <li className="card">
          <span className="medallion"><SchoolIcon name="book" /></span>
          <h3>Single courses</h3>
          <p className="muted">The student stays at their current school and takes one or more courses here for credit.</p>
          <Link className="card-link" to={paths.studentRegister}>Open a Student Account <SiteIcon name="arrow" /></Link>
        </li>
        <li className="card brass-edge">
          <span className="medallion"><SchoolIcon name="cap" /></span>
          <h3>A place at this school</h3>
          <p className="muted">The student wants to study here full time, toward the Ontario Secondary School Diploma.</p>
          <a className="card-link" href="#application">Apply for a Place <SiteIcon name="arrow" /></a>
        </li>
      </ul>
      <p className="fine-print">Already applied? <Link to={paths.applicationLink}>Get the link to your application</Link></p>
    </section>
  );
}
