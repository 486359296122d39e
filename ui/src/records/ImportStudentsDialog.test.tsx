// A file with headings of another program is matched by hand, then imported with what was chosen.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { expect, it, vi } from 'vitest';
import { newQueryClient } from '../boot.ts';
import { server } from '../test/server.ts';
import { ImportStudentsDialog } from './ImportStudentsDialog.tsx';

const nothing = { added: 0, updated: 0, unchanged: 0, leftOut: 0, unknown: [], columns: [], rows: [], problems: [], moreProblems: 0 };

it('asks what an unknown heading is, and imports with the answer', async () => {
  const sent: [string | null, unknown][] = [];
  server.use(
    http.get('*/api/user/proof', () => HttpResponse.json({})),
    http.post('*/api/admin/students/import', ({ request }) => {
      const asked = new URL(request.url).searchParams;
      const columns = JSON.parse(asked.get('columns') ?? '') as Record<string, string>;
      sent.push([asked.get('dryRun'), columns]);
      if ('Nombre' in columns) return HttpResponse.json({ ...nothing, added: 1, rows: [{ line: 2, action: 'add', email: 'ana@mail.example' }] });
      return HttpResponse.json({ ...nothing, unknown: [{ heading: 'Nombre', sample: 'Ana Ruiz' }, { heading: 'Shoes', sample: '38' }], columns: ['email', 'fullName'], problems: ['line 1, column 2: there is no such column'] });
    }),
  );
  const onClose = vi.fn<() => void>();
  render(<QueryClientProvider client={newQueryClient()}><ImportStudentsDialog onClose={onClose} /></QueryClientProvider>);
  const user = userEvent.setup();
  const file = new File(['Email,Nombre,Shoes\n'], 'students.csv', { type: 'text/csv' });
  Object.assign(file, { slice: () => ({ arrayBuffer: async () => new ArrayBuffer(0) }) });
  await user.upload(screen.getByLabelText('CSV file'), file);
  await user.selectOptions(await screen.findByRole('combobox', { name: /Nombre/ }), 'Full name');
  expect(screen.queryByText(/there is no such column/)).not.toBeInTheDocument();
  expect(within(screen.getByRole('combobox', { name: /Shoes/ })).queryByText('Full name')).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Use These Columns' }));
  expect(document.activeElement).not.toBe(document.body);
  expect(await screen.findByText('ana@mail.example')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Choose the Columns Again' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Import' }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalled());
  const chosen = { Nombre: 'fullName', Shoes: '' };
  expect(sent).toEqual([['1', {}], ['1', chosen], ['0', chosen]]);
});
