// The notice that the site shows a sample school, or lacks required facts.
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
