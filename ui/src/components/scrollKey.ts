// Under which name a scroll position is kept. Each loaded document begins with the key "default",
// which is no name: one page would open where another was left.
import type { Location } from 'react-router';

export function scrollKey({ key, pathname, search }: Location): string {
  return key === 'default' ? pathname + search : key;
}
