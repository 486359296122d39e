// How a course code is read, with the specification's example (section 3), and the levels.

import './CodeParts.css';

const parts = [
  { characters: 'SC', meaning: 'Subject', value: 'Science' },
  { characters: 'H', meaning: 'Sub-category', value: 'Chemistry' },
  { characters: '4', meaning: 'Grade', value: 'Grade 12' },
  { characters: 'U', meaning: 'Level', value: 'University' },
];

const levels = [
  { letter: 'D', name: 'Academic (grades 9-10)' },
  { letter: 'U', name: 'University Preparation' },
  { letter: 'M', name: 'University/College Preparation' },
  { letter: 'C', name: 'College Preparation' },
  { letter: 'O', name: 'Open' },
  { letter: 'W', name: 'De-streamed (grade 9)' },
  { letter: 'P', name: 'Applied (grades 9-10)' },
  { letter: 'E', name: 'Workplace Preparation' },
];

export function CodeLegend() {
  return (
    <section aria-labelledby="legend">
      <h2 id="legend" tabIndex={-1}>Reading a Course Code</h2>
      <p>
        A code has 5 to 6 characters; a sixth is the school’s own. <strong>SCH4U</strong>, for example:
      </p>
      <dl className="grid code-parts">
        {parts.map(({ characters, meaning, value }) => (
          <div key={characters}>
            <dt>{characters}</dt>
            <dd><small>{meaning}</small><span>{` ${value}`}</span></dd>
          </div>
        ))}
      </dl>
      <p>The last letter names the level:</p>
      <dl className="grid code-levels">
        {levels.map(({ letter, name }) => (
          <div className="beside" key={letter}>
            <dt>{letter}</dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
