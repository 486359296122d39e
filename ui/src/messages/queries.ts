// Queries of the contact messages.
import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query';
import { deleteJson, getJson, getRows, patchJson, postJson } from '../api.ts';
import type { ReplyTemplate } from '../api-types.ts';
import { list_fresh_ms, listParameters } from '../components/useListView.ts';
import type { MessagesView } from './useMessagesView.ts';

/** Query string of this view. */
export const messagesParameters = ({ q, status, assignee, page }: Omit<MessagesView, 'message'>) => `${listParameters({ q, status, page })}${assignee && `&assignee=${assignee}`}` as const;

export const messagesQuery = ({ q, status, assignee, page }: Omit<MessagesView, 'message'>) =>
  queryOptions({
    queryKey: ['messages', 'all', { q, status, assignee, page }],
    queryFn: ({ signal }) => getRows(`/api/admin/messages${messagesParameters({ q, status, assignee, page })}`, signal),
    staleTime: list_fresh_ms,
    placeholderData: keepPreviousData,
  });

/** One message with its conversation, on any page of the list. */
export const messageQuery = (id: number) =>
  queryOptions({
    queryKey: ['messages', 'one', id],
    queryFn: ({ signal }) => getJson(`/api/admin/messages/${id}`, signal),
    staleTime: list_fresh_ms,
  });

/** Colleagues who can be assigned. */
export const assigneesQuery = queryOptions({
  queryKey: ['messages', 'assignees'],
  queryFn: ({ signal }) => getJson('/api/admin/messages/assignees', signal),
});

export const markMessage = mutationOptions({
  mutationKey: ['messages', 'mark'],
  mutationFn: ({ id, as }: { id: number; as: 'read' | 'unread' }) => postJson(`/api/admin/messages/${id}/${as}`),
});

/** Changes of state, by their endpoints. */
export type MessageChange = 'close' | 'reopen' | 'spam' | 'not-spam';

export const changeMessage = (id: number, to: MessageChange) => postJson(`/api/admin/messages/${id}/${to}`);

export const changeMessages = (ids: number[], to: 'close' | 'spam') => postJson(`/api/admin/messages/${to}`, { ids });

export const assignMessage = (id: number, userId: number | null) => postJson(`/api/admin/messages/${id}/assign`, { userId });

export type Reply = { body: string; subject: string | null; close: boolean; expectedReplies: number };

export const replyToMessage = (id: number, reply: Reply) => postJson(`/api/admin/messages/${id}/reply`, reply);

/** Texts that the office adds, by their endpoints. */
export type TextKind = 'answers' | 'notes';

export const addText = (id: number, kind: TextKind, body: string) => postJson(`/api/admin/messages/${id}/${kind}`, { body });

export const undoDecision = (id: string) => postJson(`/api/admin/decisions/${id}/undo`);

export const templatesQuery = queryOptions({
  queryKey: ['messages', 'templates'],
  queryFn: ({ signal }) => getJson('/api/admin/reply-templates', signal),
});

/** Creates the template, or changes the one with this id. */
export const saveTemplate = (id: number | null, version: number, text: Omit<ReplyTemplate, 'id' | 'version'>) =>
  id === null ? postJson('/api/admin/reply-templates', text) : patchJson(`/api/admin/reply-templates/${id}`, { ...text, version });

export const deleteTemplate = (id: number) => deleteJson(`/api/admin/reply-templates/${id}`);
