// Line icons of portals and forms, and those of the site.
import { drawings as school } from './SchoolIcon.tsx';
import { Drawing, drawings as site } from './SiteIcon.tsx';

const all = {
  ...site,
  ...school,
  send: 'M20.5 3.5 3 10.5l7 3 3 7 7.5-17ZM10 13.5l4.5-4.5',
  more: 'M5 11.5a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1ZM12 11.5a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1ZM19 11.5a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1Z',
  logout: 'M10.5 4.5H5v15h5.5M20 12H9.5M16 8l4 4-4 4',
  grid: 'M4 4h7v7H4zM13.5 4h6.5v7h-6.5zM4 13.5h7V20H4zM13.5 13.5h6.5V20h-6.5z',
  calendar: 'M4 5h16v14H4zM4 10h16M8 3v4M16 3v4',
  inbox: 'M4 5h16v14H4zM4 13.5h4.5l1.5 2.5h4l1.5-2.5H20',
  file: 'M6 3.5h8l4.5 4.5v12.5H6zM13.5 4v4.5h4.5M9 12.5h6M9 16h6',
  upload: 'M12 15.5V4.5M7.5 9 12 4.5 16.5 9M4.5 15.5v4h15v-4',
  up: 'm6 15 6-6 6 6',
  plus: 'M12 5v14M5 12h14',
  trash: 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 12.5h9.4L17.5 7M10 10.5v5.5M14 10.5v5.5',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.4-4.2 3-6.2 7.5-6.2s7.1 2 7.5 6.2',
  dollar: 'M12 2.5v19M16.5 7.2C15.6 5.9 14 5.3 12 5.3c-2.6 0-4.4 1.2-4.4 3.2 0 4.6 9.1 2.2 9.1 6.9 0 2-1.9 3.3-4.7 3.3-2.2 0-3.9-.8-4.9-2.2',
  badge: 'M4 5.5h16v13.5H4zM9 13a2.1 2.1 0 1 0 0-4.2A2.1 2.1 0 0 0 9 13ZM6 16.3c.3-1.5 1.3-2.2 3-2.2s2.7.7 3 2.2M14.5 10H18M14.5 13.5H18',
} as const;

export type IconName = keyof typeof all;

export function Icon({ name }: { name: IconName }) {
  return <Drawing path={all[name]} />;
}
