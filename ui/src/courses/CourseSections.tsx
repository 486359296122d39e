// The classes of a course that can be asked for, with their hours at the school and where the reader is.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { CourseDetails, OfferedSection } from '../api-types.ts';
import { readersHours } from '../meetings.ts';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import { Each, When } from '../template.tsx';
import { courseKey } from './courseKey.ts';

export function CourseSections({ course: { code, sections } }: { course: CourseDetails }) {
  const own = useOwnHours(sections);
  useSeats(code, sections.length > 0);
  return (
    <When is={sections.length > 0} template="course.sections">
      <section aria-labelledby="classes">
        <h2 id="classes">Classes</h2>
        <ul className="course-links course-sections">
          <Each of={sections} template="section in course.sections">
            {(section) => <li key={section.id}><Section code={code} section={section} own={own && (own.get(section.id) || 'The same in your time zone')} /></li>}
          </Each>
        </ul>
      </section>
    </When>
  );
}

function Section({ code, section, own }: { code: string; section: OfferedSection; own: string | null }) {
  const { id, term, label, isOpen, teacherName, meetings, seatsLeft, deliveryText, whenText, datesText, joinText, priceText, seatsText } = section;
  return (
    <>
      <div>
        <h3 id={`class-${id}`}>
          <When is={term} template="section.term"><span>{`${term?.name ?? ''} · `}</span></When>
          <span>{`Section ${label} `}</span>
          <span className="badge">{deliveryText}</span>
        </h3>
        <p><strong>{whenText}</strong><When is={meetings.length > 0} template="section.meetings"><small data-reader="">{own}</small></When></p>
        <p className="fine-print">
          <span>{`${datesText} · ${joinText}`}</span>
          <When is={teacherName} template="section.teacherName"><bdi>{` · ${teacherName ?? ''}`}</bdi></When>
        </p>
      </div>
      <div>
        <When is={priceText} template="section.priceText"><strong>{priceText ?? ''}</strong></When>
        <When is={seatsText} template="section.seatsText"><small>{seatsText ?? ''}</small></When>
        <When is={isOpen} template="section.isOpen" otherwise={<small>Not accepting requests right now</small>}>
          <Link className="button button-outline" aria-describedby={`class-${id}`} to={`${paths.studentCoursesOf(code)}&section=${id}`}>{seatsLeft === 0 ? 'Join the Waiting List' : 'Request'}</Link>
        </When>
      </div>
    </>
  );
}

/** The page as it came has no free seats, which change more often. */
function useSeats(code: string, hasSections: boolean) {
  const client = useQueryClient();
  const { showSeats } = useSchool();
  const isWanted = showSeats && hasSections;
  useEffect(() => {
    if (isWanted) void client.refetchQueries({ queryKey: courseKey(code) });
  }, [client, code, isWanted]);
}

/** Computed after the page is shown: the server does not know where its reader is. */
function useOwnHours(sections: readonly OfferedSection[]) {
  const { timeZone } = useSchool();
  const [own, setOwn] = useState<ReadonlyMap<number, string> | null>(null);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- hydration needs what the server drew
    setOwn(new Map(sections.map((one) => [one.id, readersHours({ ...one, timeZone })])));
  }, [sections, timeZone]);
  return own;
}
