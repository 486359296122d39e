// How a course code is read, with the specification's example (section 3), and the levels.

import './CodeParts.css';

const parts = [['SC', 'Subject', 'Science'], ['H', 'Sub-category', 'Chemistry'], ['4', 'Grade', 'Grade 12'], ['U', 'Level', 'University']];

const levels = {
  D: 'Academic (grades 9-10)',
  U: 'University Preparation',
  M: 'University/College Preparation',
  C: 'College Preparation',
  O: 'Open',
  W: 'De-streamed (grade 9)',
  P: 'Applied (grades 9-10)',
  E: 'Workplace Preparation',
};

export function CodeLegend() {
  return (
    <section aria-labelledby="legend">
      <h2 id="legend" tabIndex={-1}>Reading a Course Code</h2>
      <p>
        A code has 5 to 6 characters; a sixth is the school’s own. <strong>SCH4U</strong>, for example:
      </p>
      <dl className="grid code-parts">
        {parts.map(([characters, meaning, value]) => (
          <div key={characters}>
            <dt>{characters}</dt>
            <dd><small>{meaning}</small><span>{` ${value}`}</span></dd>
          </div>
        ))}
      </dl>
      <p>The last letter names the level:</p>
      <dl className="grid code-levels">
        {Object.entries(levels).map(([letter, name]) => (
          <div className="beside" key={letter}>
            <dt>{letter}</dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
