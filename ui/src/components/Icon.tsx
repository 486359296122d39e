// Line icons of portals and forms, and those of the site; the office adds its own (officeDrawings.ts).
import type { OfficeDrawings } from './officeDrawings.ts';
import { drawings as school } from './SchoolIcon.tsx';
import { Drawing, drawings as site } from './SiteIcon.tsx';

const portal = {
  ...site,
  ...school,
  more: 'M5 11.5a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1ZM12 11.5a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1ZM19 11.5a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1Z',
  logout: 'M10.5 4.5H5v15h5.5M20 12H9.5M16 8l4 4-4 4',
  file: 'M6 3.5h8l4.5 4.5v12.5H6zM13.5 4v4.5h4.5M9 12.5h6M9 16h6',
  upload: 'M12 15.5V4.5M7.5 9 12 4.5 16.5 9M4.5 15.5v4h15v-4',
  plus: 'M12 5v14M5 12h14',
  trash: 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l.8 12.5h9.4L17.5 7M10 10.5v5.5M14 10.5v5.5',
} as const;

export type IconName = keyof typeof portal | keyof OfficeDrawings;

const all: Partial<Record<IconName, string>> = portal;

export const addDrawings = (office: OfficeDrawings) => Object.assign(all, office);

export function Icon({ name }: { name: IconName }) {
  return <Drawing path={all[name] ?? ''} />;
}
