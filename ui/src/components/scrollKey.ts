// The key of a stored scroll position. Each loaded document begins with the key "default", which several pages would
// share.
import type { Location } from 'react-router';

export function scrollKey({ key, pathname, search }: Location): string {
  return key === 'default' ? pathname + search : key;
}
