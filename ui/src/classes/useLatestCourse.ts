// The facts a course's form starts from: the list behind it may have been loaded hours ago.
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { OfficeCourse } from '../api-types.ts';
import { managedCoursesQuery } from '../courses/queries.ts';
import { courseFields, type CourseValues, valuesOf } from './courseSchema.ts';

/** The course as the list has it now, which is asked for anew; as it was opened once it is gone from there. */
export function useLatestCourse(opened: OfficeCourse | null): OfficeCourse | null {
  const { data } = useQuery({ ...managedCoursesQuery, refetchOnMount: opened ? 'always' : false });
  return data?.find(({ id }) => id === opened?.id) ?? opened;
}

/** A colleague's change comes into the open form, but for the fields that were touched here. */
export function useFollow(course: OfficeCourse | null, form: UseFormReturn<CourseValues>) {
  // `form` is another object at each drawing; these three stay the same.
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
