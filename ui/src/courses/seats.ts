// The seats of a course in words.
import type { CourseRow } from '../api-types.ts';

type Seats = Pick<CourseRow, 'capacity' | 'seatsTaken'>;

/** "23/25"; without a limit "23". */
export function seatsText({ capacity, seatsTaken }: Seats): string {
  return capacity === null ? String(seatsTaken) : `${seatsTaken}/${capacity}`;
}

/** No seat is free: whoever is approved now is one too many. */
export function isFull({ capacity, seatsTaken }: Seats): boolean {
  return capacity !== null && seatsTaken >= capacity;
}

/** "23 of 25 seats taken, 2 free", "27 of 25 seats taken, 2 too many", "23 seats taken, no limit". */
export function seatsSentence({ capacity, seatsTaken }: Seats): string {
  if (capacity === null) return `${seatsTaken} ${seatsTaken === 1 ? 'seat' : 'seats'} taken, no limit`;
  const free = capacity - seatsTaken;
  const rest = free > 0 ? `${free} free` : free === 0 ? 'the class is full' : `${-free} too many`;
  return `${seatsTaken} of ${capacity} ${capacity === 1 ? 'seat' : 'seats'} taken, ${rest}`;
}
