// The school's facts, which override the configuration.
import type { SettingsPage } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { dayText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { factNames, facts } from './facts.ts';
import { Section } from './Section.tsx';
import type { Editor } from './useDraft.ts';
import { joinNames } from './words.ts';

export function FactsSection({ editor, page }: { editor: Editor; page: SettingsPage }) {
  return (
    <Section
      id="facts"
      title="School Facts"
      about={
        <>
          <p>What the pages, search engines and emails say about the school. Facts that are not set are left out.</p>
          <Missing page={page} />
        </>
      }
    >
      <div className="grid field-pair">
        {factNames.map((name) => <Fact key={name} editor={editor} page={page} name={name} />)}
      </div>
    </Section>
  );
}

function Missing({ page: { missingFacts } }: { page: SettingsPage }) {
  if (missingFacts.length === 0) return null;
  const isRequired = missingFacts.some((fact) => fact.isRequired);
  const names = joinNames(missingFacts.map(({ label }) => label));
  return <p>{`Visitors do not see yet: ${names}.${isRequired ? ' Until the required ones are set, the site says that it is a sample or being set up.' : ''}`}</p>;
}

function Fact({ editor, page, name }: { editor: Editor; page: SettingsPage; name: keyof typeof facts }) {
  const { timeZone } = useSchool();
  const { label, key, type = 'text', inputMode, isRequired } = facts[name];
  const inFile = page.defaults.facts[name];
  const replaced = page.overrides.find((each) => each.key === key);
  const file = inFile === null ? 'Not set in the configuration.' : `The configuration says ${inFile}.`;
  const hint = replaced ? `Set here since ${dayText(replaced.since, timeZone, '')} (version ${replaced.version}). ${file}` : file;
  return (
    <Field {...editor.field(`facts.${name}`)} label={isRequired ? `${label} (required)` : label} hint={hint}>
      {(control) => (
        <input
          {...control}
          type={type}
          inputMode={inputMode}
          autoComplete="off"
          dir="auto"
          placeholder={inFile === null ? undefined : String(inFile)}
          value={editor.draft.facts[name]}
          onChange={({ target }) => editor.change('facts', (before) => ({ ...before, [name]: target.value }), `facts.${name}`)}
        />
      )}
    </Field>
  );
}
