// Line icons of the public pages' texts.
import { Drawing, drawings as site } from './SiteIcon.tsx';

export const drawings = {
  book: 'M12 6.5C10 5 7.4 4.4 4 4.5v13c3.4-.1 6 .5 8 2 2-1.5 4.6-2.1 8-2v-13c-3.4-.1-6 .5-8 2Zm0 0v13',
  people: 'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20c.3-3.6 2.8-5.5 6.5-5.5s6.2 1.9 6.5 5.5M16 4.8a3.4 3.4 0 0 1 0 6.4M18 14.9c2 .7 3.3 2.4 3.5 5.1',
  cap: 'M12 4.5 1.8 9.3 12 14l10.2-4.7L12 4.5ZM6 11.5v4.7c1.5 1.5 3.5 2.3 6 2.3s4.5-.8 6-2.3v-4.7M22.2 9.3v5.7',
  live: 'M3.5 5h17v11h-17zM8 20h8M12 16v4M10.2 8.2l4.3 2.3-4.3 2.3z',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5.2l3.4 2',
  door: 'M13.5 4.5H19v15h-5.5M4 12h10.5M10.5 8l4 4-4 4',
  rise: 'M4 18.5 9.5 13l3.5 3.5 7-8.5M14.8 8H20v5.2',
  pencil: 'm4 20 1.1-4.5L16 4.6a2 2 0 0 1 2.9 0l.5.5a2 2 0 0 1 0 2.9L8.5 18.9 4 20ZM14 6.6l3.4 3.4',
  pin: 'M12 21.5c4.6-5 7-8.7 7-11.7a7 7 0 1 0-14 0c0 3 2.4 6.7 7 11.7ZM12 12.3a2.6 2.6 0 1 0 0-5.2 2.6 2.6 0 0 0 0 5.2Z',
  phone: 'M5 3.5h3.6l1.7 4.6-2.2 1.7a13 13 0 0 0 6.1 6.1l1.7-2.2 4.6 1.7V19a1.8 1.8 0 0 1-1.9 1.8C10.4 20.4 3.6 13.6 3.2 5.4 3.2 4.3 4 3.5 5 3.5Z',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3.3 9.5h17.4M3.3 14.5h17.4M12 3c-2.6 2.7-3.7 5.6-3.7 9s1.1 6.3 3.7 9c2.6-2.7 3.7-5.6 3.7-9S14.6 5.7 12 3Z',
  mail: site.mail,
} as const;

export type SchoolIconName = keyof typeof drawings;

export function SchoolIcon({ name }: { name: SchoolIconName }) {
  return <Drawing path={drawings[name]} />;
}
