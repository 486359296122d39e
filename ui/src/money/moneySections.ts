// The sections of the school's money, in the order of their tabs.
//
// A section is one of two: a list of `/admin/money` (`show`, as in the address; its component and prefetch are named in
// `MoneyPage.tsx`), or a page of its own (`path`, a row of `pages.json` with the same duty), which renders `MoneyNav`
// below its head. Without the duty there is no tab, and the address says that the role has no access.
import type { Duty, PagePath } from '../pages.ts';

type MoneySection = { label: string; duty: Duty } & ({ show: string } | { path: PagePath });

export const sections = [
  { show: 'balances', label: 'Balances', duty: 'balances' },
  { show: 'payments', label: 'Payments', duty: 'balances' },
  { show: 'invoices', label: 'Invoices', duty: 'balances' },
  { show: 'months', label: 'By Month', duty: 'balances' },
  { path: '/admin/money/bank', label: 'Bank', duty: 'money' },
  { show: 'reminders', label: 'Reminders', duty: 'money' },
  { show: 'refunds', label: 'Refunds', duty: 'balances' },
  { show: 'policies', label: 'Refund Policies', duty: 'money' },
  { show: 'settings', label: 'Settings', duty: 'money' },
] as const satisfies readonly MoneySection[];

export type Shown = Extract<(typeof sections)[number], { show: string }>['show'];

export const shownSections = sections.flatMap((section): Shown[] => ('show' in section ? [section.show] : []));

/** A section of `/admin/money`. */
export const sectionOf = (shown: Shown) => sections.find((section) => 'show' in section && section.show === shown) ?? sections[0];
