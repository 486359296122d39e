// The inbox's view, with its open message, kept in the address.
import { useLocation, useNavigate } from 'react-router';
import type { MessageStatus } from '../api-types.ts';
import { optionsOf, readWord } from '../closedSets.ts';
import { typing_pause_ms, useUrlView } from '../components/useUrlView.ts';

export type MessagesView = { q: string; status: MessageStatus | ''; page: number; message: number | null };

/** Status filters; messages cannot be answered here yet. */
const filters = { new: 'New', open: 'Read' } satisfies Partial<Record<MessageStatus, string>>;

export const statusOptions = [{ value: '', label: 'All messages' }, ...optionsOf(filters)];

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
    filter: (status: string) => show({ ...list, status: readWord(filters, status), page: 1 }),
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
    page: number('page') ?? 1,
    message: number('message'),
  };
}

function write({ q, status, page, message }: MessagesView): Record<string, string> {
  return {
    ...(q.trim() && { q: q.trim() }),
    ...(status && { status }),
    ...(page > 1 && { page: String(page) }),
    ...(message && { message: String(message) }),
  };
}
