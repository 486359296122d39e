// The view of the list of admission requests, kept in the address: search, states, what they wait for, and whose they are.
import type { AdmissionRequestStatus } from '../api-types.ts';
import { readWord, wordsOf } from '../closedSets.ts';
import { typing_pause_ms, useUrlView } from '../components/useUrlView.ts';
import { stateTones } from './requests.ts';
import type { Wait } from './wire.ts';

/** `assignee` is a colleague's id, or `none`; '' for all. */
export type RequestsView = { q: string; states: readonly AdmissionRequestStatus[]; waits: Wait | ''; assignee: string; page: number };

export const waitWords = { student: 'No student yet', deposit: 'Deposit due', account: 'Account not opened' } satisfies Record<Wait, string>;

export function useRequestsView() {
  const [view, show] = useUrlView<RequestsView>({ read: readRequestsView, write: writeRequestsView });
  return {
    view,
    search: (q: string) => show({ ...view, q, page: 1 }, typing_pause_ms),
    toggle: (state: AdmissionRequestStatus) => {
      const states = view.states.includes(state) ? view.states.filter((one) => one !== state) : [...view.states, state];
      show({ ...view, states, waits: '', page: 1 });
    },
    /** Only accepted requests wait for something, so the states are left. */
    wait: (waits: Wait) => show({ ...view, waits: view.waits === waits ? '' : waits, states: [], page: 1 }),
    assign: (assignee: string) => show({ ...view, assignee, page: 1 }),
    turnTo: (page: number) => show({ ...view, page }),
  };
}

export function readRequestsView(parameters: URLSearchParams): RequestsView {
  const number = (name: string) => {
    const value = Number(parameters.get(name));
    return Number.isInteger(value) && value > 0 ? value : null;
  };
  const asked = (parameters.get('status') ?? '').split(',');
  return {
    q: parameters.get('q') ?? '',
    states: wordsOf(stateTones).filter((state) => asked.includes(state)),
    waits: readWord(waitWords, parameters.get('waits')),
    assignee: parameters.get('assignee') === 'none' ? 'none' : String(number('assignee') ?? ''),
    page: number('page') ?? 1,
  };
}

function writeRequestsView({ q, states, waits, assignee, page }: RequestsView): Record<string, string> {
  return {
    ...(q.trim() && { q: q.trim() }),
    ...(states.length > 0 && { status: states.join(',') }),
    ...(waits && { waits }),
    ...(assignee && { assignee }),
    ...(page > 1 && { page: String(page) }),
  };
}

/** The query string of the call. */
export const requestsParameters = (view: RequestsView): `?${string}` => `?${new URLSearchParams({ page: String(view.page), ...writeRequestsView(view) })}`;
