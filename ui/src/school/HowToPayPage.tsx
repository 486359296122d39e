// How a fee is paid, once the school has written it.
import { TextView } from './TextView.tsx';

export function HowToPayPage() {
  return <TextView kind="how_to_pay" />;
}
