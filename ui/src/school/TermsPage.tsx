// Terms of Service: ten numbered sections (specification, section 2), or the school’s own.
import { TextView } from './TextView.tsx';

export function TermsPage() {
  return <TextView kind="terms" />;
}
