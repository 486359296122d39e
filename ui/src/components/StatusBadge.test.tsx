import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { EnrollmentStatus } from '../api-types.ts';
import { StatusBadge } from './StatusBadge.tsx';

test('section 4: active is green, pending yellow, completed blue, anything else red', () => {
  const tones = { active: 'green', pending: 'yellow', completed: 'blue', declined: 'red', paused: 'red' };
  for (const [status, tone] of Object.entries(tones)) {
    render(<StatusBadge status={status as EnrollmentStatus} />);
    expect(screen.getByText(status).className).toBe(`badge tone-${tone}`);
  }
});
