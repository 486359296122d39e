// An enrollment in My Courses (section 2), with its details and actions.
import type { ReactNode } from 'react';
import type { EnrolledSection, Enrollment } from '../api-types.ts';
import { StatusBadge } from '../components/StatusBadge.tsx';
import { SectionHours } from '../courses/SectionHours.tsx';
import { dateText, today } from '../dates.ts';
import { moneyText } from '../money.ts';
import { CourseProgress } from './CourseProgress.tsx';
import { DaysRemaining } from './DaysRemaining.tsx';
import { counts, isPendingRequest } from './requestRules.ts';
import { EnrollmentHistory } from './EnrollmentHistory.tsx';
import { PendingLeave } from './PendingLeave.tsx';
import { PlaceOffer } from './PlaceOffer.tsx';
import { progress } from './progress.ts';
import { creditsText, priceKind, repeatNote, stateWords } from './words.ts';
import '../courses/CourseCard.css';

/** An action that a dialog confirms first. */
export type OwnAction = 'withdraw' | 'leave' | 'refuse';

type EnrollmentCardProps = { enrollment: Enrollment; onStep: (step: OwnAction) => void };

export function EnrollmentCard({ enrollment, onStep }: EnrollmentCardProps) {
  const { course, status } = enrollment;
  const day = today();
  const repeat = repeatNote(enrollment);
  const titleId = `enrollment-${enrollment.id}`;

  return (
    <li className="card brass-edge stack enrollment">
      <p className="cluster course-code"><span>{`${course.code} · Grade ${course.grade}`}</span><StatusBadge status={status} /></p>
      <h3 id={titleId} dir="auto">{course.name}</h3>
      {enrollment.section && <OwnSection enrollment={enrollment} section={enrollment.section} />}
      <p className="muted" dir="auto">{stateWords(enrollment, day)}</p>
      {repeat && <p className="muted">{repeat}</p>}
      {status === 'waitlisted' && enrollment.offeredUntil && <PlaceOffer enrollment={enrollment} titleId={titleId} onRefuse={() => onStep('refuse')} />}
      {status === 'active' && enrollment.leaveAskedAt && <PendingLeave enrollment={enrollment} titleId={titleId} />}
      {counts(enrollment) && <CourseProgress code={course.code} percent={progress(enrollment, day)} isTentative={isPendingRequest(enrollment)} />}
      <Facts enrollment={enrollment} day={day} />
      <EnrollmentHistory id={enrollment.id} titleId={titleId} isActive={status === 'active'} />
      {isPendingRequest(enrollment) && (
        <p className="screen-only">
          <button type="button" className="button button-outline" aria-describedby={titleId} onClick={() => onStep('withdraw')}>
            Withdraw Request
          </button>
        </p>
      )}
      {status === 'active' && !enrollment.leaveAskedAt && (
        <p className="screen-only">
          <button type="button" className="button button-quiet" aria-describedby={titleId} onClick={() => onStep('leave')}>
            Ask to Leave This Course
          </button>
        </p>
      )}
    </li>
  );
}

/** The section, its hours here and at the school, and the link once there is one. */
function OwnSection({ enrollment: { startDate, endDate }, section }: { enrollment: Enrollment; section: EnrolledSection }) {
  const link = section.meetings.find((one) => one.link)?.link;
  return (
    <p className="own-section">
      <SectionHours section={section} startsOn={startDate} endsOn={endDate} />
      {link && <a href={link} target="_blank" rel="noreferrer">Open the online class</a>}
    </p>
  );
}

function Facts({ enrollment, day }: { enrollment: Enrollment; day: string }) {
  const { course, midtermMark } = enrollment;
  const kind = priceKind(enrollment);
  return (
    <dl className="grid">
      <Fact term="Start date">{dateText(enrollment.startDate, 'Not set')}</Fact>
      <Fact term="End date">{dateText(enrollment.endDate, 'Not set')}</Fact>
      <Fact term="Days remaining"><DaysRemaining enrollment={enrollment} day={day} /></Fact>
      <Fact term="Credits">{creditsText(enrollment.status === 'completed' ? enrollment.earnedCredits ?? course.credits : course.credits)}</Fact>
      <Fact term="Price"><span>{moneyText(course.price, 'Ask the office')}</span>{kind && <small>{kind}</small>}</Fact>
      {typeof midtermMark === 'number' && <Fact term="Midterm mark">{`${midtermMark}%`}</Fact>}
    </dl>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
