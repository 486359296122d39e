import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ImportResult } from './ImportResult.tsx';

const none = { added: 0, updated: 0, unchanged: 0, leftOut: 0, unknown: [], columns: [], rows: [], problems: [], moreProblems: 0 };

it('tells the first problems, and how many more there are', () => {
  const { rerender } = render(<ImportResult result={{ ...none, problems: ['line 2: a', 'line 3: b'], moreProblems: 7 }} />);
  expect(screen.getByText('Nothing was imported')).toBeVisible();
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['line 2: a', 'line 3: b']);
  expect(screen.getByText('and 7 more problems')).toBeVisible();
  rerender(<ImportResult result={{ ...none, problems: ['line 2: a'], moreProblems: 1 }} />);
  expect(screen.getByText('and 1 more problem')).toBeVisible();
  rerender(<ImportResult result={{ ...none, added: 5, problems: ['line 9: closed'] }} />);
  expect(screen.getByText('These lines were skipped')).toBeVisible();
  expect(screen.queryByText(/more problem/)).toBeNull();
});

it('lists what would happen', () => {
  render(<ImportResult result={{ ...none, added: 60, updated: 1, rows: [{ line: 2, action: 'add', email: 'ann@mail.example' }] }} />);
  expect(screen.getByText('60 to add, 1 to update, 0 unchanged')).toBeVisible();
  expect(screen.getByRole('listitem')).toHaveTextContent('Line 2: add ann@mail.example');
});
