// The four steps of enrolling.
import { Link } from 'react-router';
import { SiteIcon } from '../components/SiteIcon.tsx';
import { paths } from '../paths.ts';

const steps = [
  {
    title: 'Plan with us',
    text: 'Tell us where the student stands and where they want to go. The consultation is free.',
  },
  {
    title: 'Open a student account',
    text: 'An email address and a password are enough to begin. A link confirms the address.',
  },
  {
    title: 'Complete the profile',
    text: 'Fill in the student’s details, and upload identification and the last transcript.',
  },
  {
    title: 'Choose a course',
    text: 'Request a course, and choose when to begin. Once the office approves, the student is enrolled.',
  },
];

export function Enrolling() {
  return (
    <section className="band band-tint" aria-labelledby="enrolling">
      <div className="wrap">
        <div className="row band-head">
          <div>
            <p className="eyebrow">From question to class</p>
            <h2 id="enrolling">Enroll in Four Steps</h2>
          </div>
          <Link className="card-link" to={paths.studentRegister}>
            Open a Student Account <SiteIcon name="arrow" />
          </Link>
        </div>
        <ol className="stations milestones steps">
          {steps.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p className="muted">{text}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
