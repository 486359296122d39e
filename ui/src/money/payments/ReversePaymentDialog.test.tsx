// What becomes of a payment that is reversed: of one that paid for something, and of one on account.
import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import type { Payment } from '../../api-types.ts';
import { newQueryClient } from '../../boot.ts';
import { ReversePaymentDialog } from './ReversePaymentDialog.tsx';

it.each([[0, /^What it paid for is due again, and receipt 2026-000001 is void/], [300, /^What it paid for is due again/], [500, /^The money is no longer on account, and/]] as const)(
  'says what a reversal changes of a payment with %d on account', async (unapplied, words) => {
    const payment = { id: 1, amount: 500, unapplied, receiptNumber: '2026-000001' } as Payment;
    const element = <ReversePaymentDialog payment={payment} onClose={() => {}} />;
    render(<QueryClientProvider client={newQueryClient()}><RouterProvider router={createMemoryRouter([{ path: '/', element }])} /></QueryClientProvider>);
    expect(await screen.findByText(words)).toBeVisible();
  },
);
