// How a parent or guardian is related and reached: "Mother · ngozi@mail.example · 416 555 0101".
import type { Guardian } from '../api-types.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { relationships } from './guardians.ts';

export function GuardianFacts({ relationship, email, phone }: Pick<Guardian, 'relationship' | 'email' | 'phone'>) {
  return (
    <>
      {relationship && <span>{relationships[relationship]}</span>}
      {email && <span>{relationship && <span> · </span>}<EmailAddress address={email} /></span>}
      {phone && <span>{(relationship || email) && <span> · </span>}<span>{phone}</span></span>}
    </>
  );
}
