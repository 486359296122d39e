// Excludes a page from search engines. React moves the tag into the head; the server writes its own there.
import { isTemplate } from '../template.tsx';

export function NoIndex() {
  return !isTemplate && <meta name="robots" content="noindex" />;
}
