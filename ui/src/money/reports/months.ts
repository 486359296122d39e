// The names of months, and those that a year's picture has.

/** "Nov", or "November 2026", of "2026-11". Date-only values never pass through the browser's zone. */
export function monthName(month: string, length: 'short' | 'long'): string {
  const day = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)) - 1, 1));
  const options = length === 'short' ? ({ month: 'short' } as const) : ({ month: 'long', year: 'numeric' } as const);
  return day.toLocaleDateString('en-CA', { ...options, timeZone: 'UTC' }).replace('.', '');
}

/** The first day of a month, counted from the year 0. */
const first = (at: number) => `${String(Math.floor(at / 12)).padStart(4, '0')}-${String((at % 12) + 1).padStart(2, '0')}-01`;

/** The first days of the first and the last of twelve months: with the one of a day, eight before it and three after. */
export function yearAround(day: string): { from: string; to: string } {
  const month = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
  return { from: first(month - 8), to: first(month + 3) };
}
