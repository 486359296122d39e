import { describe, expect, it } from 'vitest';
import { fullestWords, isFull, seatsSentence, seatsText } from './seats.ts';

describe('the seats of a course', () => {
  it.each([
    [null, 0, '0', '0 seats taken, no limit', false],
    [null, 1, '1', '1 seat taken at peak, no limit', false],
    [25, 23, '23/25', '23 of 25 seats taken at peak, 2 free', false],
    [25, 25, '25/25', '25 of 25 seats taken at peak, none free', true],
    [25, 27, '27/25', '27 of 25 seats taken at peak, 2 too many', true],
    [1, 0, '0/1', '0 of 1 seat taken, 1 free', false],
  ])('%s for %s', (capacity, seatsTaken, text, sentence, full) => {
    const seats = { capacity, seatsTaken };
    expect([seatsText(seats), seatsSentence(seats), isFull(seats)]).toEqual([text, sentence, full]);
  });

  it.each([
    [null, 0, 0, null],
    ['2026-11-26', 8, 8, 'The peak is today.'],
    ['2027-02-01', 8, 3, 'The peak is Feb 1, 2027; today 3 are taken.'],
    ['2027-02-01', 8, 1, 'The peak is Feb 1, 2027; today 1 is taken.'],
  ])('say of when they speak: %s', (fullestOn, seatsTaken, seatsTakenToday, words) => {
    expect(fullestWords({ fullestOn, seatsTaken, seatsTakenToday })).toBe(words);
  });
});
