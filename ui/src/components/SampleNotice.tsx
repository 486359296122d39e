// One line that says so while the site shows the sample school's facts, or lacks one that a school needs.
import type { School } from '../api-types.ts';
import { When } from '../template.tsx';

export function SampleNotice({ school }: { school: School }) {
  return (
    <When is={school.isSample} template="school.isSample">
      <aside className="sample-notice screen-only" aria-label="Sample school">
        <p>Sample school, or one that is being set up: names and numbers are examples or missing.</p>
      </aside>
    </When>
  );
}
