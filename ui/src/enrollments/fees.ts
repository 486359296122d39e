// The two prices of a request: quoted when it was sent, and the course's of today.
import type { OfficeEnrollment } from '../api-types.ts';
import { dateText } from '../dates.ts';
import { moneyText } from '../money.ts';

type Prices = Pick<OfficeEnrollment, 'price' | 'quotedPrice' | 'quotedUntil' | 'currentPrice'>;

/** True when the office has to choose. */
export function hasTwoPrices({ quotedPrice, currentPrice }: Prices): boolean {
  return typeof quotedPrice === 'number' && typeof currentPrice === 'number' && quotedPrice !== currentPrice;
}

/** What stands beside the fee when there is another price; null when there is none. */
export function otherPrice(prices: Prices): string | null {
  if (!hasTwoPrices(prices)) return null;
  return prices.price === prices.quotedPrice
    ? `now ${moneyText(prices.currentPrice, '')}`
    : `quoted ${moneyText(prices.quotedPrice, '')} until ${dateText(prices.quotedUntil, '')}`;
}
