// Who is signed in to the office: what both portals' frames ask, apart from the calls of the office.
import { queryOptions } from '@tanstack/react-query';
import { getSomebody } from '../api.ts';

/** Who is signed in to the office, or null. */
export const userQuery = queryOptions({
  queryKey: ['staff', 'me'],
  queryFn: ({ signal }) => getSomebody('/api/user', signal),
});
