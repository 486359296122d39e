// A course code explained letter by letter.
import type { CourseDetails } from '../api-types.ts';
import { Each, When } from '../template.tsx';
import './CodeParts.css';

export function CodeParts({ course: { code, codeParts } }: { course: CourseDetails }) {
  return (
    <When is={codeParts.length > 0} template="course.codeParts">
      <section aria-labelledby="code">
        <h2 id="code">{`Reading ${code}`}</h2>
        <dl className="grid code-parts">
          <Each of={codeParts} template="part in course.codeParts">
            {({ characters, meaning, value }) => (
              <div key={meaning}>
                <dt>{characters}</dt>
                <dd><small>{meaning}</small><span>{` ${value}`}</span></dd>
              </div>
            )}
          </Each>
        </dl>
      </section>
    </When>
  );
}
