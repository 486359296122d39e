// The sections of the school's money, in the order of their tabs.
//
// A section is one of two: a list of `/admin/money` (`show`, as in the address; its component and prefetch are named in
// `MoneyPage.tsx`), or a page of its own (`path`, a row of `pages.json` with the same duty), which renders `MoneyNav`
// below its head. Who lacks the duty is not shown the tab.
import type { Duty, PagePath } from '../pages.ts';

type MoneySection = { label: string; duty?: Duty } & ({ show: string } | { path: PagePath });

export const sections = [
  { show: 'balances', label: 'Balances' },
  { show: 'payments', label: 'Payments' },
  { show: 'invoices', label: 'Invoices' },
  { show: 'months', label: 'By Month' },
  { path: '/admin/money/bank', label: 'Bank', duty: 'money' },
  { show: 'reminders', label: 'Reminders', duty: 'money' },
  { show: 'refunds', label: 'Refunds' },
  { show: 'policies', label: 'Refund Policies', duty: 'money' },
  { show: 'settings', label: 'Settings', duty: 'money' },
] as const satisfies readonly MoneySection[];

/** Every entry, with what an entry may have. */
export const allSections: readonly MoneySection[] = sections;

export type Shown = Extract<(typeof sections)[number], { show: string }>['show'];

export const shownSections = sections.flatMap((section): Shown[] => ('show' in section ? [section.show] : []));
