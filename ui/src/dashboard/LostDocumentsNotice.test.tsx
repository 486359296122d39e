import { render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import type { Dashboard } from '../api-types.ts';
import { LostDocumentsNotice } from './LostDocumentsNotice.tsx';

function notice(lostDocumentsCount: number | null) {
  const element = <LostDocumentsNotice dashboard={{ lostDocumentsCount } as Dashboard} />;
  return render(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />);
}

it.each([
  [1, 'The file of a document is lost'],
  [3, 'The files of 3 documents are lost'],
])('of %i lost documents it leads to their list', (count, title) => {
  notice(count);
  expect(screen.getByText(title)).toBeVisible();
  expect(screen.getByRole('link', { name: 'View Lost Documents' })).toHaveAttribute('href', '/admin/documents?q=file+lost');
});

it.each([0, null])('says nothing of %s', (count) => {
  const { container } = notice(count);
  expect(container.textContent).toBe('');
});
