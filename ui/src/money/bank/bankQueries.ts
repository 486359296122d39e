// Queries of the bank's files, and what is recorded from their lines.
import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { ApiError, getJson, getRows, postJson, wire } from '../../api.ts';
import type { BankColumns, BankLine, BankStatement, LineResult, PaymentMethod } from '../../api-types.ts';
import { refuseChanged } from '../../components/importing.ts';
import { list_fresh_ms } from '../../components/useListView.ts';
import { newKey, postOnce } from '../../once.ts';
import { moneyKey } from '../moneyQueries.ts';

const bankKey = [...moneyKey, 'bank'] as const;

export const importsQuery = (page: number) =>
  queryOptions({
    queryKey: [...bankKey, 'list', page],
    queryFn: ({ signal }) => getRows(`/api/admin/bank-imports?page=${page}`, signal),
    staleTime: list_fresh_ms,
  });

export const statementQuery = (id: number) =>
  queryOptions({
    queryKey: [...bankKey, id],
    queryFn: ({ signal }) => getJson(`/api/admin/bank-imports/${id}`, signal),
    staleTime: list_fresh_ms,
  });

/** Where date, text and amount stand; empty if the server knows. */
export type Columns = Partial<Record<'date' | 'text' | 'amount' | 'credit' | 'debit' | 'direction' | 'dateFormat' | 'accountNumber', string>>;

/** What the server asks about a file, with its first lines and the columns of last time. */
export type Asked = {
  asks: 'columns' | 'dateFormat' | 'account';
  rows: string[][];
  chosen: BankColumns | null;
  accounts?: { number: string; lines: number }[];
};

/** What is asked about a file, or null. */
export function askedOf(error: unknown): Asked | null {
  if (!(error instanceof ApiError) || error.reason !== 'columns_unknown') return null;
  return error.current as Asked;
}

/** The widest of the first lines: what the columns are called, unless it is data. */
export function headingsOf(rows: string[][]): string[] {
  return rows.reduce<string[]>((widest, row) => (row.length > widest.length ? row : widest), []);
}

export type BankUpload = { key: string; file: File; account: string; columns: Columns };

export const importFile = mutationOptions({
  mutationKey: ['bank', 'import'],
  mutationFn: async ({ key, file, account, columns }: BankUpload) => {
    await refuseChanged(file);
    const query = new URLSearchParams({ account, ...columns });
    const headers = { 'Content-Type': 'text/csv', 'Idempotency-Key': key };
    return (await wire.request<BankStatement>(`/api/admin/bank-imports?${query}`, { method: 'POST', headers, body: file })).body;
  },
});

/** A line, or a part of it, of one student; `again` if it is other money than a payment that it looks like. */
export type PostedLine = { lineId: number; studentId?: number; amount?: string; method?: PaymentMethod; again?: boolean };

/**
 * What is decided about lines: a payment is recorded, they are no payments, a payment that is recorded already, or one that the
 * bank takes back; or a decision is taken back.
 */
export type LineDecision = { verb: 'post' | 'ignore' | 'same' | 'returned' | 'reopen'; lines: PostedLine[] };

/** Lines of one request. */
const most = 200;

export async function decideLines(id: number, { verb, lines }: LineDecision): Promise<LineResult[]> {
  const some = lines.slice(0, most);
  const ids = { lines: some.map(({ lineId }) => lineId) };
  const { results } = verb === 'post'
    ? await postOnce(newKey(), `/api/admin/bank-imports/${id}/post`, { lines: some })
    : await postOnce(newKey(), `/api/admin/bank-imports/${id}/${verb}`, ids);
  return lines.length > most ? [...results, ...(await decideLines(id, { verb, lines: lines.slice(most) }))] : results;
}

export const forgetColumns = (account: string) => postJson('/api/admin/bank-imports/forget-columns', { account });

export const undoImport = (id: number) => postJson(`/api/admin/bank-imports/${id}/undo`);

/** The sum of some lines, in cents, so that no fraction is lost. */
export const sumOf = (lines: readonly Pick<BankLine, 'amount'>[]) => lines.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100;
