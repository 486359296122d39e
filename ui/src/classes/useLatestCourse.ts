// The current course for its form: the list may have been loaded hours ago.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { OfficeCourse } from '../api-types.ts';
import { managedCoursesQuery } from '../courses/queries.ts';
import { courseFields, type CourseValues, valuesOf } from './courseSchema.ts';

/** The course from the refetched list; the opened one if it is gone from there. */
export function useLatestCourse(opened: OfficeCourse | null): OfficeCourse | null {
  const { data } = useQuery({ ...managedCoursesQuery, refetchOnMount: opened ? 'always' : false });
  return data?.find(({ id }) => id === opened?.id) ?? opened;
}

/** Applies a colleague's change to the open form, except to touched fields. */
export function useMergedChanges(course: OfficeCourse | null, form: UseFormReturn<CourseValues>) {
  // `form` changes with each render; these three are stable.
  const { getFieldState, getValues, resetField } = form;
  useEffect(() => {
    if (!course) return;
    const latest = valuesOf(course);
    for (const name of courseFields) {
      const isFollowing = !getFieldState(name).isDirty && getValues(name) !== latest[name];
      if (isFollowing) resetField(name, { defaultValue: latest[name], keepError: true });
    }
  }, [course, getFieldState, getValues, resetField]);
}
