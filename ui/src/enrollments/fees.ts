// The two prices of a request: quoted when it was sent, and the course's of today.
import type { OfficeEnrollment } from '../api-types.ts';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';

type Prices = Pick<OfficeEnrollment, 'price' | 'quotedPrice' | 'quotedUntil' | 'currentPrice'>;

/** True when the office has to choose. */
export function hasTwoPrices({ quotedPrice, currentPrice }: Prices): boolean {
  return typeof quotedPrice === 'number' && typeof currentPrice === 'number' && quotedPrice !== currentPrice;
}

/** What stands beside the fee when there is another price, in the line of a table and in full; null when there is none. */
export function otherPrice(prices: Prices): { short: string; full: string } | null {
  if (!hasTwoPrices(prices)) return null;
  const [quoted, current] = [moneyText(prices.quotedPrice, ''), moneyText(prices.currentPrice, '')];
  if (prices.price === prices.quotedPrice) return { short: `now ${current}`, full: `now ${current}` };
  return { short: `was ${quoted}`, full: `quoted ${quoted} until ${dateText(prices.quotedUntil, '')}` };
}
