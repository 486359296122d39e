// Privacy Policy: eleven numbered sections (specification, section 2), or the school’s own.
import { TextView } from './TextView.tsx';

export function PrivacyPage() {
  return <TextView kind="privacy" />;
}
