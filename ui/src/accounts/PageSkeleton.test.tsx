// What the prerendered frame of a portal shows until the session is known.
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { PageSkeleton } from './PageSkeleton.tsx';

test('Course Management shows a spinner while authentication loads, other pages placeholders', () => {
  const { container, rerender } = render(<PageSkeleton area="office" title="Course Management" />);
  expect(screen.getByRole('heading', { name: 'Course Management' })).toBeVisible();
  expect(screen.getByRole('status')).toHaveTextContent('Loading courses...');
  expect(container.querySelector('.spinner, .skeleton')).toHaveClass('spinner');
  rerender(<PageSkeleton area="office" title="Student Documents" />);
  expect(screen.queryByRole('status')).toBeNull();
  expect(container.querySelectorAll('.skeleton')).toHaveLength(3);
});
