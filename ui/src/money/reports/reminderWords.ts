// Names of reminders of fees, for the office.
import type { Reminder, ReminderMode } from '../../api-types.ts';

export const reminderModes = {
  normal: 'As usual',
  arrangement: 'Not now: there is an arrangement',
  never: 'Never',
} satisfies Record<ReminderMode, string>;

/** By how late the earliest part is. */
export const reminderSteps = {
  before: 'Before the due date',
  first: 'Overdue',
  second: 'Long overdue',
} satisfies Record<Reminder['step'], string>;

/** Why no reminder is sent. */
export const whyNot = {
  arrangement: 'there is an arrangement.',
  never: 'the family is not to be reminded, or the student is suspended or has left.',
  covered: 'what is on account covers it.',
  nothing_due: 'nothing is due.',
  already_today: 'a reminder is already being sent that day.',
  no_address: 'the student’s address is not confirmed.',
} satisfies Record<NonNullable<Reminder['why']>, string>;
