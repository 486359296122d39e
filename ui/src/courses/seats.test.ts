import { describe, expect, it } from 'vitest';
import { isFull, seatsSentence, seatsText } from './seats.ts';

describe('the seats of a course', () => {
  it.each([
    [null, 0, '0', '0 seats taken, no limit', false],
    [null, 1, '1', '1 seat taken, no limit', false],
    [25, 23, '23/25', '23 of 25 seats taken, 2 free', false],
    [25, 25, '25/25', '25 of 25 seats taken, the class is full', true],
    [25, 27, '27/25', '27 of 25 seats taken, 2 too many', true],
    [1, 0, '0/1', '0 of 1 seat taken, 1 free', false],
  ])('%s for %s', (capacity, seatsTaken, text, sentence, full) => {
    const seats = { capacity, seatsTaken };
    expect([seatsText(seats), seatsSentence(seats), isFull(seats)]).toEqual([text, sentence, full]);
  });
});
