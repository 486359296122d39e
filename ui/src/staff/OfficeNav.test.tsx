import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { userQuery } from '../accounts/signedIn.ts';
import type { User, WaitingLine } from '../api-types.ts';
import { officePaths } from '../officePaths.ts';
import { OfficeNav } from './OfficeNav.tsx';
import { waitingQuery } from './officeState.ts';

const registrar: User = {
  id: 1, username: 'registrar', fullName: null, email: 'registrar@northgate.example', role: 'registrar',
  duties: ['students', 'enrollments', 'admissions', 'messages', 'assigned_messages', 'documents', 'courses'], hasSecondFactor: false, needsSecondFactor: false, digest: false,
};

const messages = (count: number): WaitingLine => ({ kind: 'messages', group: 'us', count, oldest: null, href: `${officePaths.messages}?status=new` });

test('a queue without anything to do is under More, and one that empties stays where it is', async () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(userQuery.queryKey, registrar);
  client.setQueryData(waitingQuery.queryKey, [messages(2), { ...messages(0), href: officePaths.identityChanges }]);
  render(<QueryClientProvider client={client}><MemoryRouter><OfficeNav /></MemoryRouter></QueryClientProvider>);
  const more = within(screen.getByText('More').closest('details') as HTMLElement);
  expect(more.getByText('Identity Changes')).toBeDefined();
  expect(more.queryByText('Messages')).toBeNull();
  expect(screen.getByText('Messages').closest('a')?.title).toBe('2 waiting');
  client.setQueryData(waitingQuery.queryKey, [messages(0), { ...messages(1), href: officePaths.identityChanges }]);
  await waitFor(() => expect(screen.getByText('Identity Changes').closest('details'), 'what fills comes out of the fold').toBeNull());
  expect(screen.getByText('Messages').closest('details')).toBeNull();
});
