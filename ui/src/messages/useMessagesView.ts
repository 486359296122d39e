// The inbox's view, with its open message, kept in the address.
import { useLocation, useNavigate } from 'react-router';
import type { MessageStatus } from '../api-types.ts';
import { optionsOf, readWord } from '../closedSets.ts';
import { typing_pause_ms, useUrlView } from '../components/useUrlView.ts';

/** `assignee` is a colleague's id, or `none`; '' for all. */
export type MessagesView = { q: string; status: MessageStatus | ''; assignee: string; page: number; message: number | null };

const filters = { new: 'New', open: 'To answer', replied: 'Replied', closed: 'Closed', spam: 'Spam' } satisfies Record<MessageStatus, string>;

/** The choices of one select: the states and, with colleagues, whose the open ones are. */
export function filterOptions(hasColleagues: boolean) {
  const [fresh, open, ...rest] = optionsOf(filters);
  const own = hasColleagues ? [{ value: 'mine', label: 'To answer: mine' }, { value: 'unassigned', label: 'To answer: unassigned' }] : [];
  return [{ value: '', label: 'All messages' }, ...(fresh && open ? [fresh, open] : []), ...own, ...rest];
}

/** The choice that a view stands for. */
export function filterOf({ status, assignee }: Pick<MessagesView, 'status' | 'assignee'>): string {
  return assignee === 'none' ? 'unassigned' : assignee ? 'mine' : status;
}

/** History state of a message opened from the list, which Back returns to. */
export const overList = { isOverList: true };

export function useMessagesView() {
  const navigate = useNavigate();
  const { state } = useLocation() as { state: Partial<typeof overList> | null };
  const [view, show] = useUrlView<MessagesView>({ read: readMessagesView, write });
  // Changing the list closes the open message.
  const list = { ...view, message: null };
  return {
    view,
    search: (q: string) => show({ ...list, q, page: 1 }, typing_pause_ms),
    filter: (choice: string, ownId: number) => {
      const assignee = choice === 'mine' ? String(ownId) : choice === 'unassigned' ? 'none' : '';
      show({ ...list, status: assignee ? 'open' : readWord(filters, choice), assignee, page: 1 });
    },
    turnTo: (page: number) => show({ ...list, page }),
    close: () => (state?.isOverList ? void navigate(-1) : show(list)),
  };
}

/** The address of a message, followed as a link so that Back leads to the list. */
export function messageLink(view: MessagesView, message: number): string {
  return `?${new URLSearchParams(write({ ...view, message }))}`;
}

export function readMessagesView(parameters: URLSearchParams): MessagesView {
  const number = (name: string) => {
    const value = Number(parameters.get(name));
    return Number.isInteger(value) && value > 0 ? value : null;
  };
  return {
    q: parameters.get('q') ?? '',
    status: readWord(filters, parameters.get('status')),
    assignee: parameters.get('assignee') === 'none' ? 'none' : String(number('assignee') ?? ''),
    page: number('page') ?? 1,
    message: number('message'),
  };
}

function write({ q, status, assignee, page, message }: MessagesView): Record<string, string> {
  return {
    ...(q.trim() && { q: q.trim() }),
    ...(status && { status }),
    ...(assignee && { assignee }),
    ...(page > 1 && { page: String(page) }),
    ...(message && { message: String(message) }),
  };
}
