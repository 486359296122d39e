// The school's postal address, if set.
import type { School } from '../api-types.ts';
import { When } from '../template.tsx';

export function Address({ school: { address, mapLink } }: { school: School }) {
  return (
    <When is={mapLink} template="school.mapLink">
      <address>
        <span>{address.street}</span>
        <br />
        <span>{`${address.city}, ${address.province} ${address.postalCode}`}</span>
      </address>
    </When>
  );
}
