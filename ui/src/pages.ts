// The table of pages (`pages.json`), which the server embeds too. Routes, titles, navigation, guards, budgets, the
// sitemap and the browser tests are derived from it.
import table from '../pages.json' with { type: 'json' };
import type { User } from './api-types.ts';
import type { IconName } from './components/Icon.tsx';

type Table = typeof table;

/** A page's area, which determines its frame, guard and budget. */
export type Area = keyof Table;

/** A page's path; `:token` is a link's secret, `:id` a row id. */
export type PagePath = { [A in Area]: keyof Table[A] }[Area];

export type Duty = User['duties'][number];

/** A row of the JSON file, so that an incomplete row does not compile. */
type Row = {
  page: string;
  title?: string;
  catches?: string;
  budget?: string;
  nav?: { label: string; section?: string; icon?: string };
  duty?: string;
};

type OfficeRow = { nav?: { section: string; icon: string } };

const areas: { [A in Area]: Record<string, Row> } & { office: Record<string, OfficeRow> } = table;

export type Page = {
  path: PagePath;
  area: Area;
  /** The file of the component, which has the same name. */
  page: string;
  /** Title; the home page's is made of the school's facts. */
  title?: string;
  /** Every other address of a portal leads to its login: that page. */
  catches?: string;
  /** Budget, if other than the area's. */
  budget?: string;
  /** Place in the portal's navigation. */
  nav?: { label: string; section?: string; icon?: IconName };
  /** The duty that a user needs to open it. */
  duty?: Duty;
};

/** A page in the office's navigation; pages of single rows (`:id`) are not. */
export type OfficePage = Page & { nav: { label: string; section: string; icon: IconName } };

/** In navigation order. JSON's types are wider: the server refuses an unknown duty, a test an unknown icon. */
export const pages = Object.entries(areas).flatMap(([area, rows]) =>
  Object.entries(rows).map(([path, row]) => Object.assign({ area, path }, row)),
) as Page[];

export const pagesOf = (area: Area) => pages.filter((page) => page.area === area);

export const officePages = pagesOf('office').filter((page): page is OfficePage => page.nav !== undefined);

/** A page's path; a misspelled one does not compile. */
export const at = <Path extends PagePath>(path: Path): Path => path;
