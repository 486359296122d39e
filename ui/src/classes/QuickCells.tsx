// The price and seats cells, edited in the table.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError, failureWords } from '../api.ts';
import type { CourseInput, CourseRow } from '../api-types.ts';
import { EditCell } from '../components/EditCell.tsx';
import { priceProblem, readPrice } from '../courses/price.ts';
import { managedCoursesQuery } from '../courses/queries.ts';
import { moneyText } from '../money.ts';
import { priceInputText, readSeats, seatsProblem } from './courseSchema.ts';
import { refreshCourses, saveCourse } from './queries.ts';
import { isFull, seatsSentence, seatsText } from './seats.ts';

/** Saves one field and updates the row before the list is refetched. */
function useQuickSave(course: CourseRow) {
  const client = useQueryClient();
  const saving = useMutation(saveCourse);
  return async (input: Partial<CourseInput>) => {
    const saved = await saving.mutateAsync({ id: course.id, input });
    client.setQueryData(managedCoursesQuery.queryKey, (rows) => rows?.map((row) => (row.id === saved.id ? { ...row, ...saved } : row)));
    refreshCourses(client);
  };
}

function said(error: unknown): string {
  if (error instanceof ApiError && error.status === 404) return 'This course has been deleted.';
  const field = error instanceof ApiError && Object.values(error.fields)[0];
  return field || failureWords(error, 'Failed to update course. Please try again.');
}

export function PriceCell({ course }: { course: CourseRow }) {
  const save = useQuickSave(course);
  return (
    <EditCell
      label={`Price of ${course.code}`}
      text={priceInputText(course.price)}
      problem={priceProblem}
      save={(text) => save({ price: readPrice(text) })}
      said={said}
    >
      {course.price === null ? <span className="muted">Not set</span> : <span>{moneyText(course.price, 'Not set')}</span>}
    </EditCell>
  );
}

export function SeatsCell({ course, mayChange }: { course: CourseRow; mayChange: boolean }) {
  const save = useQuickSave(course);
  const waiting = course.waitlistLength > 0 && <small>{`${course.waitlistLength} waiting`}</small>;
  const shown = (
    <>
      <span className="sr-only">{seatsSentence(course)}</span>
      <span aria-hidden="true" className={isFull(course) ? 'seats-full' : undefined}>{seatsText(course)}</span>
    </>
  );
  if (!mayChange) return <>{shown}{waiting}</>;
  return (
    <>
      <EditCell
        label={`Seats of ${course.code}`}
        text={String(course.capacity ?? '')}
        problem={seatsProblem}
        save={(text) => save({ capacity: readSeats(text) })}
        said={said}
      >
        {shown}
      </EditCell>
      {waiting}
    </>
  );
}
