// One line that says so while the site shows the sample school's facts, or lacks one that a school needs.
import type { School } from '../api-types.ts';
import { When } from '../template.tsx';

export function SampleNotice({ school }: { school: School }) {
  return (
    <When is={school.isSample} template="school.isSample">
      <aside className="sample-notice screen-only" aria-label="Sample school">
        <When is={school.isNamed} template="school.isNamed" otherwise={<p>Sample school: its names and numbers are examples.</p>}>
          <p>This site is being set up. Some facts are missing.</p>
        </When>
      </aside>
    </When>
  );
}
