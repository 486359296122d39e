// Where the office is, in two lines as far as it is known.
import type { School } from '../api-types.ts';
import { When } from '../template.tsx';

export function Address({ school: { address } }: { school: School }) {
  return (
    <address>
      <When is={address.street} template="school.address.street">
        <span>{address.street}</span>
        <br />
      </When>
      <When is={address.city} template="school.address.city">
        <span>{`${address.city}, ${address.province} ${address.postalCode}`}</span>
      </When>
    </address>
  );
}
