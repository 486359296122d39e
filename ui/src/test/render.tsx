// Draws the whole interface at an address, with the data a test gives it.
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import type { Boot } from '../api-types.ts';
import { newQueryClient, seedQueries } from '../boot.ts';
import { routes } from '../routes.tsx';

export function open(address: string, boot?: Boot) {
  const queryClient = newQueryClient();
  if (boot) seedQueries(queryClient, boot, boot.course && address);
  const router = createMemoryRouter(routes(queryClient), { initialEntries: [address] });
  const user = userEvent.setup();
  const view = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { user, router, ...view };
}
