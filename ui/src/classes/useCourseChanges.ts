// After a change to the catalogue: updates the list and moves the focus.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { CourseRow, OfficeCourse } from '../api-types.ts';
import { managedCoursesQuery } from '../courses/queries.ts';
import { editButtonId } from './CourseActions.tsx';
import { coursesInView, type ManagedView } from './useManagedView.ts';

export function useCourseChanges(view: ManagedView, showCourse: (course: OfficeCourse) => void) {
  const client = useQueryClient();
  const heading = useRef<HTMLHeadingElement>(null);
  // The focus target: a course or the heading; null when done.
  const landing = useRef<number | 'heading' | null>(null);
  // No dependency list: a new course is rendered some time after it was saved.
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
      // Show the added course.
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
