// What follows from a change to the catalogue: the list shows it at once, and the focus lands
// where it can be seen.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { CourseRow, OfficeCourse } from '../api-types.ts';
import { managedCoursesQuery } from '../courses/queries.ts';
import { editButtonId } from './CourseActions.tsx';
import { coursesInView, type ManagedView } from './useManagedView.ts';

export function useCourseChanges(view: ManagedView, showCourse: (course: OfficeCourse) => void) {
  const client = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  // A course, or the heading of the list; none once the focus has arrived.
  const landing = useRef<number | 'heading' | null>(null);
  // Without a list of dependencies: a new course is drawn some time after it was saved.
  useEffect(() => {
    if (landing.current === null) return;
    const target = landing.current === 'heading' ? heading.current : document.getElementById(editButtonId(landing.current));
    if (!target) return;
    landing.current = null;
    target.focus();
  });

  const change = (edit: (before: CourseRow[]) => CourseRow[]) =>
    client.setQueryData(managedCoursesQuery.queryKey, (before) => before && edit(before));

  return {
    heading,
    created: (course: OfficeCourse) => {
      change((before) => [...before, { ...course, seatsTaken: 0, seatsTakenToday: 0, active: 0, waitlistLength: 0, requests: 0 }]);
      // Whoever adds a course wants to see it.
      if (coursesInView([course], view).length === 0) showCourse(course);
      landing.current = course.id;
    },
    updated: (course: OfficeCourse) => {
      change((before) => before.map((one) => (one.id === course.id ? { ...one, ...course } : one)));
      landing.current = coursesInView([course], view).length > 0 ? course.id : 'heading';
    },
    deleted: ({ id }: OfficeCourse) => {
      change((before) => before.filter((one) => one.id !== id));
      landing.current = 'heading';
    },
  };
}
