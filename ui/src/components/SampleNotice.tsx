// One line that says so while the site shows the sample school's facts.
import type { School } from '../api-types.ts';

export function SampleNotice({ school }: { school: School }) {
  if (!school.isSample) return null;
  return (
    <aside className="sample-notice screen-only" aria-label="Sample school">
      <p>Sample school: its names and numbers are examples.</p>
    </aside>
  );
}
