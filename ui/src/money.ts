// Money as people read it: Canadian dollars with two decimals (section 9).

const dollars = new Intl.NumberFormat('en-CA', { style: 'currency', currency: 'CAD', currencyDisplay: 'narrowSymbol' });

/** "$1,234.50" or "−$5.00" for a number or its text; `otherwise` for a missing or invalid amount. */
export function moneyText(amount: number | string | null | undefined, otherwise: string): string {
  if (amount === null || amount === undefined || amount === '') return otherwise;
  const value = Number(amount);
  return Number.isFinite(value) ? dollars.format(value).replace('-', '−') : otherwise;
}
