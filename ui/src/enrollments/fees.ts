// The two prices of a request: quoted and current.
import type { OfficeEnrollment } from '../api-types.ts';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';

type Prices = Pick<OfficeEnrollment, 'price' | 'quotedPrice' | 'quotedUntil' | 'currentPrice'>;

/** Whether the office has to choose a price. */
export function hasTwoPrices({ quotedPrice, currentPrice }: Prices): boolean {
  return typeof quotedPrice === 'number' && typeof currentPrice === 'number' && quotedPrice !== currentPrice;
}

/** The other price beside the fee, short and in full; null without one. */
export function otherPrice(prices: Prices): { short: string; full: string } | null {
  if (!hasTwoPrices(prices)) return null;
  const [quoted, current] = [moneyText(prices.quotedPrice, ''), moneyText(prices.currentPrice, '')];
  if (prices.price === prices.quotedPrice) return { short: `now ${current}`, full: `now ${current}` };
  return { short: `was ${quoted}`, full: `quoted ${quoted} until ${dateText(prices.quotedUntil, '')}` };
}
