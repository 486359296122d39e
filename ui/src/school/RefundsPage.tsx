// What is refunded, once the school has written it.
import { TextView } from './TextView.tsx';

export function RefundsPage() {
  return <TextView kind="refunds" />;
}
