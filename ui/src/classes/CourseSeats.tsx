// The key facts of a course: seats, waiting list, requests and price.
import type { CourseWithWaitlist } from '../api-types.ts';
import { moneyText } from '../money.ts';
import { fullestWords, isFull, seatsSentence, seatsText } from './seats.ts';

export function CourseSeats({ course }: { course: CourseWithWaitlist }) {
  const { capacity, seatsTaken, waitlistLength, requests } = course;
  return (
    <section className="card course-seats" aria-labelledby="course-seats">
      <h2 id="course-seats" className="sr-only">Seats</h2>
      <dl className="grid">
        <div className="course-seats-taken">
          <dt>{course.sections.length > 0 ? 'Seats outside of sections' : 'Seats'}</dt>
          <dd>
            <strong className={isFull(course) ? 'seats-full' : undefined}>{seatsText(course)}</strong>
            {capacity !== null && <progress aria-hidden="true" value={Math.min(seatsTaken, capacity)} max={capacity} />}
            <small>{[seatsSentence(course), fullestWords(course)].filter(Boolean).join('. ')}</small>
          </dd>
        </div>
        <Fact label="Waiting for a seat" value={String(waitlistLength)} />
        <Fact label="Undecided requests" value={String(requests)} />
        <Fact label="New requests" value={course.isOpen ? 'Accepted' : 'Closed'} />
        <Fact label="Price" value={moneyText(course.price, 'Not set')} />
        <Fact label="Credits" value={String(course.credits)} />
        <Fact label="Prerequisite" value={course.prerequisite || 'None'} />
      </dl>
      <p dir="auto" className="written muted ruled">{course.description}</p>
    </section>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return <div><dt>{label}</dt><dd dir="auto">{value}</dd></div>;
}
