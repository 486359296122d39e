// The one table of pages, as the interface reads it. The server embeds the same file (`pages.json`): it
// decides there which pages exist, what they are called, what search engines may list, and which
// addresses hold a secret. Routes, titles, navigation, guards, budgets and the browser's tests follow it.
import table from '../pages.json' with { type: 'json' };
import type { User } from './api-types.ts';
import type { IconName } from './components/Icon.tsx';

type Table = typeof table;

/** Where a page belongs: its frame, who may open it, and its budget follow from that. */
export type Area = keyof Table;

/** The address of a page; `:token` stands for a link's secret, `:id` for the number of a thing. */
export type PagePath = { [A in Area]: keyof Table[A] }[Area];

export type Duty = User['duties'][number];

/** One row as JSON's types have it: a row without a component, or half a place in the navigation, does not compile. */
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
  /** The file of its component, which has the file's name. */
  page: string;
  /** Its title; the home page's is made of the school's own words. */
  title?: string;
  /** Every other address of a portal leads to its login: that page. */
  catches?: string;
  /** What its scripts may weigh, where it is not the area's usual. */
  budget?: string;
  /** Its place in the navigation of its portal. */
  nav?: { label: string; section?: string; icon?: IconName };
  /** The duty that a user needs to open it. */
  duty?: Duty;
};

/** Every page of the office is in its navigation, but for those of one thing (`:id`), which their list leads to. */
export type OfficePage = Page & { nav: { label: string; section: string; icon: IconName } };

/** In the order of the navigation. JSON's words are wide for TypeScript: the server refuses an unknown duty, a test an unknown icon. */
export const pages = Object.entries(areas).flatMap(([area, rows]) =>
  Object.entries(rows).map(([path, row]) => Object.assign({ area, path }, row)),
) as Page[];

export const pagesOf = (area: Area) => pages.filter((page) => page.area === area);

export const officePages = pagesOf('office').filter((page): page is OfficePage => page.nav !== undefined);

/** A page at its own address; a typing mistake does not compile. */
export const at = <Path extends PagePath>(path: Path): Path => path;
