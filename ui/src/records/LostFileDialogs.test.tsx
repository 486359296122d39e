// Dialogs for documents with lost files.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import type { ComponentType } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it, vi } from 'vitest';
import type { StudentDocument } from '../api-types.ts';
import { newQueryClient } from '../boot.ts';
import { server } from '../test/server.ts';
import { type LostFileDialogProps, ReplaceFileDialog, WriteOffDialog } from './LostFileDialogs.tsx';

const lost = { id: 7, documentType: 'transcript', fault: 'missing' } as StudentDocument;
/** A PDF with a readable start: jsdom's files are not readable. */
function copy() {
  const file = new File(['%PDF-1.7 a copy'], 'transcript.pdf', { type: 'application/pdf' });
  const bytes = new TextEncoder().encode('%PDF-1.7 a copy').buffer;
  return Object.assign(file, { slice: () => ({ arrayBuffer: () => Promise.resolve(bytes) }) });
}

function open(Dialog: ComponentType<LostFileDialogProps>) {
  const onClose = vi.fn<() => void>();
  const router = createMemoryRouter([{ path: '/', element: <Dialog document={lost} onClose={onClose} /> }]);
  render(
    <QueryClientProvider client={newQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { onClose, user: userEvent.setup() };
}

it('puts another copy in the place of the lost file', async () => {
  const sent: string[] = [];
  server.use(
    http.post('/api/admin/documents/7/file', ({ request }) => {
      sent.push(request.headers.get('content-type') ?? '');
      return HttpResponse.json({ ...lost, fault: null });
    }),
  );
  const { onClose, user } = open(ReplaceFileDialog);
  await user.click(screen.getByRole('button', { name: 'Replace' }));
  expect(screen.getAllByText('Select a file.').length).toBeGreaterThan(0);
  await user.upload(screen.getByLabelText('File'), copy());
  await waitFor(() => expect(screen.queryByText('Select a file.')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Replace' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent).toHaveLength(1);
  expect(sent[0]).toContain('multipart/form-data');
});

it('says why the server does not take a file, and asks for another', async () => {
  const message = 'This PDF asks for a password. Save a copy without one and upload that.';
  server.use(http.post('/api/admin/documents/7/file', () => HttpResponse.json({ message }, { status: 400 })));
  const { onClose, user } = open(ReplaceFileDialog);
  await user.upload(screen.getByLabelText('File'), copy());
  await user.click(screen.getByRole('button', { name: 'Replace' }));
  expect((await screen.findAllByText(message)).length).toBeGreaterThan(0);
  expect(screen.queryByText('transcript.pdf')).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
});

it('asks before a chosen file is left behind', async () => {
  const { onClose, user } = open(ReplaceFileDialog);
  await user.upload(screen.getByLabelText('File'), copy());
  await screen.findByText('transcript.pdf');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Keep Editing' }));
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(await screen.findByRole('button', { name: 'Discard Changes' }));
  expect(onClose).toHaveBeenCalledOnce();
});

it('writes a document off for a reason only', async () => {
  const bodies: unknown[] = [];
  server.use(
    http.post('/api/admin/documents/7/write-off', async ({ request }) => {
      bodies.push(await request.json());
      return HttpResponse.json({ ...lost, fault: 'written_off' });
    }),
  );
  const { onClose, user } = open(WriteOffDialog);
  await user.click(screen.getByRole('button', { name: 'Write Off' }));
  expect((await screen.findAllByText('Please say why: the office reads it later')).length).toBeGreaterThan(0);
  expect(bodies).toEqual([]);
  await user.type(screen.getByLabelText('Reason'), 'No copy exists any more');
  await user.click(screen.getByRole('button', { name: 'Write Off' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(bodies).toEqual([{ reason: 'No copy exists any more' }]);
});
