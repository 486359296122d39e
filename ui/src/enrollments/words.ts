// Words about an enrollment for the student: statuses, credits and days.
import type { Enrollment } from '../api-types.ts';
import { dateText, dayNumber } from '../dates.ts';

/** The mark from which a course earns its credit. */
const pass_mark = 50;

/** The status in a sentence or two; `today` decides whether an active course has started. */
export function stateWords(enrollment: Enrollment, today: string): string {
  const { status, finalMark, reason } = enrollment;
  switch (status) {
    case 'pending':
      return 'The office has your request and will write to you as soon as it is decided.';
    case 'waitlisted':
      return waitingWords(enrollment);
    case 'active':
      return activeWords(enrollment, today);
    case 'declined':
      return `The office has declined this request${reason ? `: ${sentence(reason)}` : '.'} You may request the course again.`;
    case 'withdrawn':
      return `This enrollment was withdrawn${reason ? `: ${sentence(reason)}` : '.'} You may request the course again.`;
    case 'cancelled':
      return `The school has cancelled this class${reason ? `: ${sentence(reason)}` : '.'} You owe nothing for it, what you paid is on account, and the office writes to you about another class.`;
    case 'completed':
      if (typeof finalMark === 'number' && finalMark < pass_mark) return `The course has ended with a final mark of ${finalMark}%, which earns no credit. You may request it again.`;
      return typeof finalMark === 'number'
        ? `You have completed this course. Final mark: ${finalMark}%.`
        : 'You have completed this course. The office has not recorded the final mark yet.';
  }
}

function waitingWords({ waitlistPosition, offeredUntil }: Enrollment): string {
  if (offeredUntil) return 'The office keeps a free place in this class for you.';
  const place = waitlistPosition ? `You are number ${waitlistPosition} on the waiting list` : 'You are on the waiting list';
  return `The class is full on your dates at the moment. ${place}, and the office will write to you when a place is free on them.`;
}

/** The note on one of several attempts at a course; null for a single attempt. */
export function repeatNote({ betterAttempt, repeat, repeatedMark }: Pick<Enrollment, 'betterAttempt' | 'repeat' | 'repeatedMark'>): string | null {
  if (betterAttempt) return 'Recorded as a repeat: another mark of yours in this course is as good or better, and earns the credit.';
  if (!repeat) return null;
  return `A repeat: you completed this course before${typeof repeatedMark === 'number' ? ` with ${repeatedMark}%` : ''}. The better mark earns the credit, once.`;
}

/** Whether the price is due already; empty without a price. */
export function priceKind({ status, chargedPrice, quotedPrice }: Pick<Enrollment, 'status' | 'chargedPrice' | 'quotedPrice'>): string | null {
  if (status === 'cancelled') return 'not owed';
  if (typeof chargedPrice === 'number') return 'charged';
  return typeof quotedPrice === 'number' ? 'as quoted' : null;
}

function activeWords({ startDate, endDate }: Enrollment, today: string): string {
  const now = dayNumber(today) ?? 0;
  if (now < (dayNumber(startDate) ?? 0)) return `The office has approved your enrollment. The course starts on ${dateText(startDate, '')}.`;
  if (now <= (dayNumber(endDate) ?? 0)) return 'You are enrolled, and the course is running.';
  return 'The course has ended. Your final mark will appear here once the office has recorded it.';
}

/** The office's words, ending with a full stop. */
function sentence(text: string): string {
  const words = text.trim();
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}

const credits = new Intl.NumberFormat('en-CA', { maximumFractionDigits: 2 });

/** Credits without trailing zeros: "1", "0.5". */
export function creditsText(value: number | string): string {
  return credits.format(Number(value));
}

export function daysText(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
