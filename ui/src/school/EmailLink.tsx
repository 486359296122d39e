// The office's address as a link, or the way to it while it is not set.
import { Link } from 'react-router';
import type { School } from '../api-types.ts';
import { paths } from '../paths.ts';
import { When } from '../template.tsx';
import { mailLink } from './links.ts';

export function EmailLink({ school: { email } }: { school: School }) {
  return (
    <When is={email} template="school.email" otherwise={<Link to={paths.contact()}>our contact page</Link>}>
      <a href={mailLink(email)}>{email}</a>
    </When>
  );
}
