// The audit list's filters, kept in the address so that other pages can link to them.
import { useUrlView } from '../components/useUrlView.ts';
import { dayNumber } from '../dates.ts';

/** Filters by their query parameters. */
export const filters = ['user', 'action', 'object', 'objectId', 'student', 'from', 'to'] as const;
export type AuditFilter = (typeof filters)[number];

export type AuditView = Record<AuditFilter, string> & { page: number };

export function useAuditView() {
  const [view, show] = useUrlView<AuditView>({ read: readAuditView, write });
  return {
    view,
    filter: (change: Partial<Record<AuditFilter, string>>) => show({ ...view, ...change, page: 1 }),
    clear: () => show(readAuditView(new URLSearchParams())),
    turnTo: (page: number) => show({ ...view, page }),
  };
}

export function readAuditView(parameters: URLSearchParams): AuditView {
  const page = Number(parameters.get('page'));
  const read = Object.fromEntries(filters.map((name) => [name, parameters.get(name) ?? ''])) as Record<AuditFilter, string>;
  const [from, to] = [readDay(read.from), readDay(read.to)];
  return {
    ...read,
    objectId: readNumber(read.objectId),
    student: readNumber(read.student),
    from,
    // An empty range: the end is before the start.
    to: from && to < from ? '' : to,
    page: Number.isInteger(page) && page > 0 ? page : 1,
  };
}

/** A valid date, or ''. */
const readDay = (text: string) => (dayNumber(text) === null ? '' : text);

/** A row id within the server's range, or ''. */
const readNumber = (text: string) => (/^\d{1,18}$/.test(text) ? text : '');

function write(view: AuditView): Record<string, string> {
  const set = filters.filter((name) => view[name] !== '').map((name) => [name, view[name]] as const);
  return { ...Object.fromEntries(set), ...(view.page > 1 && { page: String(view.page) }) };
}

/** Query parameters of this view; the sheet has every page. */
export function auditParameters(view: AuditView, format?: 'csv'): string {
  const parameters = new URLSearchParams(write({ ...view, page: 1 }));
  if (format) parameters.set('format', format);
  else parameters.set('page', String(view.page));
  return String(parameters);
}
