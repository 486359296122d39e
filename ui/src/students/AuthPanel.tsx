// The panel beside the student login: benefits, registration steps and admissions contact.
import { Link } from 'react-router';
import type { School } from '../api-types.ts';
import { Rosette } from '../components/Rosette.tsx';
import { Icon } from '../components/Icon.tsx';
import { paths } from '../paths.ts';
import { mailLink } from '../school/links.ts';
import { When } from '../template.tsx';

// Section 2: the five steps of the registration.
const steps = [
  ['Complete the form', 'An email address and a password are enough to begin.'],
  ['Verify your email', 'Open the link in the message that we send you.'],
  ['Log in', 'Your account is active as soon as your address is verified.'],
  ['Upload documents', 'Your identification and your latest school transcript.'],
  ['Browse and enroll', 'Choose your courses. The office approves each request.'],
] as const;

type AuthPanelProps = {
  school: School;
  /** The current step, counted from 1. */
  step: number | null;
};

export function AuthPanel({ school, step }: AuthPanelProps) {
  return (
    <section className="auth-panel engraved stack navy" aria-labelledby="auth-panel-title">
      <Rosette />
      <h2 id="auth-panel-title">Your courses, in one place</h2>
      <ul className="ticks">
        <li>Request a place in any course, at any hour</li>
        <li>Send your documents safely to the office</li>
        <li>Follow every enrollment, from request to credit</li>
      </ul>
      <h3 id="auth-steps">How to Register</h3>
      <ol className="stations auth-steps" aria-labelledby="auth-steps">
        {steps.map(([title, words], index) => (
          <li key={title} aria-current={step === index + 1 ? 'step' : undefined}>
            <strong>{title}</strong>
            <span>{words}</span>
          </li>
        ))}
      </ol>
      <Admissions school={school} />
    </section>
  );
}

function Admissions({ school }: { school: School }) {
  return (
    <div className="ruled auth-contact">
      <h3>Questions About Admissions?</h3>
      <ul>
        <When is={school.phone} template="school.phone">
          <li className="beside"><Icon name="phone" /> <a href={school.phoneLink}>{school.phone}</a></li>
        </When>
        <li className="beside">
          <Icon name="mail" />
          <span> </span>
          <When is={school.email} template="school.email" otherwise={<Link to={paths.contact()}>Write to us</Link>}>
            <a href={mailLink(school.email)}>{school.email}</a>
          </When>
        </li>
        <When is={school.hours} template="school.hours">
          <li className="beside"><Icon name="clock" /><span>{` ${school.hours}`}</span></li>
        </When>
      </ul>
    </div>
  );
}
