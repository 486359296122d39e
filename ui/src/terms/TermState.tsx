// Whether families see a term.
import type { Term } from '../api-types.ts';

export function TermState({ isPublished }: Pick<Term, 'isPublished'>) {
  return <span className={`badge tone-${isPublished ? 'green' : 'plain'}`}>{isPublished ? 'Published' : 'Not public'}</span>;
}
