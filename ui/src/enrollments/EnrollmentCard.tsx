// One enrollment with everything a student wants to know of it (section 2, My Courses).
import type { ReactNode } from 'react';
import type { Enrollment } from '../api-types.ts';
import { StatusBadge } from '../components/StatusBadge.tsx';
import { dateText, today } from '../dates.ts';
import { moneyText } from '../money.ts';
import { CourseProgress } from './CourseProgress.tsx';
import { DaysRemaining } from './DaysRemaining.tsx';
import { isOpen } from './earlier.ts';
import { progress } from './progress.ts';
import { creditsText, stateWords } from './words.ts';
import '../courses/CourseCard.css';

type EnrollmentCardProps = { enrollment: Enrollment; onWithdraw: () => void };

export function EnrollmentCard({ enrollment, onWithdraw }: EnrollmentCardProps) {
  const { course, status } = enrollment;
  const day = today();
  const titleId = `enrollment-${enrollment.id}`;
  const canWithdraw = status === 'pending' || status === 'waitlisted';

  return (
    <li className="card brass-edge stack enrollment">
      <p className="cluster course-code">{course.code} · Grade {course.grade}<StatusBadge status={status} /></p>
      <h3 id={titleId} dir="auto">{course.name}</h3>
      <p className="muted" dir="auto">{stateWords(enrollment, day)}</p>
      {isOpen(enrollment) && <CourseProgress code={course.code} percent={progress(enrollment, day)} />}
      <dl className="grid">
        <Fact term="Start date">{dateText(enrollment.startDate, 'Not set')}</Fact>
        <Fact term="End date">{dateText(enrollment.endDate, 'Not set')}</Fact>
        <Fact term="Days remaining"><DaysRemaining enrollment={enrollment} day={day} /></Fact>
        <Fact term="Credits">{creditsText(course.credits)}</Fact>
        <Fact term="Price">{moneyText(course.price, 'Ask the office')}</Fact>
      </dl>
      {canWithdraw && (
        <p className="screen-only">
          <button type="button" className="button button-outline" aria-describedby={titleId} onClick={onWithdraw}>
            Withdraw Request
          </button>
        </p>
      )}
    </li>
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
