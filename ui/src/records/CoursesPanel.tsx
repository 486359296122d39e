// A student's enrollments, each with its history.
import { useState } from 'react';
import { useUser } from '../accounts/signedIn.ts';
import { failureWords } from '../api.ts';
import type { PrerequisiteCheck, RecordedEnrollment } from '../api-types.ts';
import type { Elements } from '../components/elements.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { Icon } from '../components/Icon.tsx';
import { loadPart } from '../components/loadPart.ts';
import { StatusBadge } from '../components/StatusBadge.tsx';
import { showFailure } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { SectionHours } from '../courses/SectionHours.tsx';
import { dateText, momentText } from '../dates.ts';
import type { EnrollStudentDialog } from '../enrollments/office/EnrollStudentDialog.tsx';
import { repeatText } from '../enrollments/office/repeat.ts';
import { prerequisiteWords } from '../enrollments/prerequisites.ts';
import { moneyText } from '../money.ts';
import { useSchool } from '../school/queries.ts';
import { ExternalCredits } from './ExternalCredits.tsx';
import type { PanelProps } from './tabs.ts';
import { openWishes, type Wish } from './wishes.ts';
import { useStudentDecisions } from './useStudentDecisions.tsx';
import { actorText, eventWords } from './words.ts';

export function CoursesPanel({ file }: PanelProps) {
  const { enrollments, student, credits } = file;
  const mayDecide = useUser().duties.includes('enrollments');
  const [enrolling, setEnrolling] = useState<{ EnrollStudentDialog: typeof EnrollStudentDialog } | null>(null);
  /** Lazy-loaded: students' pages are read far more often than courses are added. */
  const opening = useAction({
    mutationFn: () => loadPart(() => import('../enrollments/office/EnrollStudentDialog.tsx')),
    onSuccess: setEnrolling,
    onError: (error) => showFailure('The form could not be opened', failureWords(error, error.message)),
  });
  const [wish, setWish] = useState<Wish | null>(null);
  const begin = (wanted: Wish | null) => {
    setWish(wanted);
    opening.run();
  };
  const wishes = openWishes(file);
  const deciding = useStudentDecisions(student.id);
  const isOpen = student.status === 'active' || student.status === 'unverified';
  return (
    <>
      {mayDecide && isOpen && (
        <p><button type="button" className="button button-outline" aria-disabled={opening.isPending} onClick={() => begin(null)}><Icon name="plus" /> Enroll in a Course</button></p>
      )}
      {mayDecide && isOpen && wishes.length > 0 && (
        <section className="card" aria-labelledby="wishes">
          <h2 id="wishes">Wanted in the Application</h2>
          <ul className="rows bare">
            {wishes.map((one) => (
              <li className="row" key={one.code}>
                <span>{`${one.code} · ${one.reference}`}</span>
                <button type="button" className="button button-outline" aria-disabled={opening.isPending} onClick={() => begin(one)}>{`Request ${one.code}`}</button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {enrollments.length === 0 && (
        <EmptyState icon="book" title="No courses"><p>This student has not requested any courses yet.</p></EmptyState>
      )}
      <ul className="stack file-cards">
        {enrollments.map((enrollment) => (
          <li key={enrollment.id}>
            <Course enrollment={enrollment} prerequisite={deciding.prerequisite(enrollment.id)} actions={mayDecide && deciding.actions(enrollment.id)} />
          </li>
        ))}
        {credits && <li><ExternalCredits file={file} /></li>}
      </ul>
      {enrolling && (
        <enrolling.EnrollStudentDialog
          student={{ id: student.id, name: student.fullName ?? student.email }}
          enrollments={enrollments}
          wish={wish}
          onEnrolled={(decided) => {
            setEnrolling(null);
            deciding.note(decided);
          }}
          onClose={() => setEnrolling(null)}
        />
      )}
    </>
  );
}

type CourseProps = { enrollment: RecordedEnrollment; prerequisite: PrerequisiteCheck | null | undefined; actions: Elements };

function Course({ enrollment, prerequisite, actions }: CourseProps) {
  const { id, course, status, startDate, endDate, chargedPrice, quotedPrice, finalMark, events } = enrollment;
  const { timeZone } = useSchool();
  const isCurrent = status === 'pending' || status === 'waitlisted' || status === 'active';
  return (
    <article className="card" aria-labelledby={`enrollment-${id}`}>
      <header className="row">
        <h2 id={`enrollment-${id}`} dir="auto">{`${course.code} · ${course.name}`}</h2>
        <div className="cluster"><StatusBadge status={status} />{actions}</div>
      </header>
      <p className="muted">
        <span>{`${dateText(startDate, '')} to ${dateText(endDate, '')} · ${status === 'cancelled' ? 'waived' : typeof chargedPrice === 'number' ? 'charged' : 'quoted'} ${moneyText(chargedPrice ?? quotedPrice, 'no price')}`}</span>
        {typeof finalMark === 'number' && <><span> · </span><strong>{`Mark ${finalMark} %`}</strong></>}
      </p>
      {enrollment.section && <p><SectionHours section={enrollment.section} startsOn={startDate} endsOn={endDate} /></p>}
      {prerequisite && isCurrent && <p className="muted" dir="auto">{`Prerequisite ${prerequisiteWords(prerequisite)}`}</p>}
      {enrollment.repeat && <p><span>Repeat </span><span>{repeatText(enrollment)}</span></p>}
      {Boolean(enrollment.betterAttempt) && <p>Repeat (R): another mark in this course is as good or better, and earns the credit.</p>}
      <ol className="events">
        {events.map((event) => (
          <li key={event.id}>
            <strong>{eventWords(event)}</strong><span>{` by ${actorText(event)}, ${momentText(event.at, timeZone)}`}</span>
            {event.effectiveOn && <span>{`, from ${dateText(event.effectiveOn, '')}`}</span>}
            {event.reason && <q className="written">{event.reason}</q>}
          </li>
        ))}
      </ol>
    </article>
  );
}
