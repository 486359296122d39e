// The seats of a course in words, counted on the peak day from today on.
import type { CourseRow, CourseWithWaitlist } from '../api-types.ts';
import { dateText } from '../dates.ts';

type Seats = Pick<CourseRow, 'capacity' | 'seatsTaken'>;

/** "23/25"; without a limit "23". */
export function seatsText({ capacity, seatsTaken }: Seats): string {
  return capacity === null ? String(seatsTaken) : `${seatsTaken}/${capacity}`;
}

/** Whether no seat is free on the peak day. */
export function isFull({ capacity, seatsTaken }: Seats): boolean {
  return capacity !== null && seatsTaken >= capacity;
}

/** "23 of 25 seats taken at peak, 2 free", "27 of 25 seats taken at peak, 2 too many", "0 seats taken, no limit". */
export function seatsSentence({ capacity, seatsTaken }: Seats): string {
  const when = seatsTaken > 0 ? ' at peak' : '';
  if (capacity === null) return `${seatsTaken} ${seatsTaken === 1 ? 'seat' : 'seats'} taken${when}, no limit`;
  const free = capacity - seatsTaken;
  const rest = free > 0 ? `${free} free` : free === 0 ? 'none free' : `${-free} too many`;
  return `${seatsTaken} of ${capacity} ${capacity === 1 ? 'seat' : 'seats'} taken${when}, ${rest}`;
}

/** The peak day, and the seats taken today; empty without any. */
export function fullestWords({ fullestOn, seatsTaken, seatsTakenToday }: Pick<CourseWithWaitlist, 'fullestOn' | 'seatsTaken' | 'seatsTakenToday'>): string | null {
  if (fullestOn === null) return null;
  if (seatsTaken === seatsTakenToday) return 'The peak is today.';
  return `The peak is ${dateText(fullestOn, '')}; today ${seatsTakenToday} ${seatsTakenToday === 1 ? 'is' : 'are'} taken.`;
}
