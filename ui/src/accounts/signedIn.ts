// The signed-in user of each portal: loaded by the frame and passed to the pages inside it.
import { queryOptions } from '@tanstack/react-query';
import { useOutletContext } from 'react-router';
import { getSignedIn } from '../api.ts';
import type { Student, User } from '../api-types.ts';

/** The signed-in member of the staff, or null. */
export const userQuery = queryOptions({
  queryKey: ['staff', 'me'],
  queryFn: ({ signal }) => getSignedIn('/api/user', signal),
});

/** The signed-in student, or null. */
export const studentQuery = queryOptions({
  queryKey: ['students', 'me'],
  queryFn: ({ signal }) => getSignedIn('/api/students/me', signal),
});

/** The signed-in member of the staff, inside the office's frame. */
export const useUser = () => useOutletContext<User>();

/** The signed-in student, inside the student portal's frame. */
export const useStudent = () => useOutletContext<Student>();
