// A profile fact; 'Not provided' if empty (section 2).
import { EmailAddress } from '../components/EmailAddress.tsx';
import { notProvided } from './choices.ts';

type ProfileFactProps = { term: string; value: string | null | undefined };

export function ProfileFact({ term, value }: ProfileFactProps) {
  const text = value || notProvided;
  return (
    <div>
      <dt>{term}</dt>
      <dd className={text === notProvided ? 'not-provided' : undefined} dir="auto">
        {/^\S+@\S+$/.test(text) ? <EmailAddress address={text} /> : text}
      </dd>
    </div>
  );
}
