// The card of this week's classes, loaded only for students who have some: before the page is shown, or it would move.
import type { QueryClient } from '@tanstack/react-query';
import type { Enrollment } from '../api-types.ts';
import { schoolQuery } from '../school/queries.ts';
import { schoolDay } from '../school/useSchoolDay.ts';
import { ownEnrollmentsQuery, weekQuery } from './queries.ts';
import type { WeekCard } from './WeekCard.tsx';

let part: { WeekCard: typeof WeekCard } | null = null;

export const loadedWeek = () => part;

export const loadWeek = async () => (part = await import('./WeekCard.tsx'));

export const hasClasses = (enrollments: readonly Enrollment[] | undefined) =>
  enrollments?.some(({ status, section }) => status === 'active' && section?.meetings.length) ?? false;

/** Once the enrollments are there. */
export async function prefetchWeek(client: QueryClient) {
  const school = client.getQueryData(schoolQuery.queryKey);
  if (!school || !hasClasses(client.getQueryData(ownEnrollmentsQuery.queryKey))) return;
  await Promise.allSettled([loadWeek(), client.prefetchQuery(weekQuery(schoolDay(school.timeZone, new Date())))]);
}
