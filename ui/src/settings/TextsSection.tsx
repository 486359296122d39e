// The legal texts: terms, privacy policy, refunds and how to pay.
import type { Settings, SettingsPage } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { Section } from './Section.tsx';
import type { Editor } from './useDraft.ts';
import { idOf } from './words.ts';

type Name = keyof Settings['texts'];

const texts: Record<Name, { title: string; without: string }> = {
  terms: { title: 'Terms of Service', without: 'The built-in terms, with the school’s facts, are published.' },
  privacy: { title: 'Privacy Policy', without: 'The built-in policy, which says what this software stores, is published.' },
  refunds: { title: 'Refunds', without: 'Families read: “The office sends you the refund terms before you pay.”' },
  howToPay: { title: 'How to pay', without: 'Families read what the configuration says.' },
};

export function TextsSection({ editor, page }: { editor: Editor; page: SettingsPage }) {
  return (
    <Section
      id="texts"
      title="Texts"
      about={
        <>
          <p>What people read before they register or ask for a course. Each change is a new version, and the text that a person accepted is kept.</p>
          <p>A line that begins with “# ” is a heading, lines that begin with “- ” are a list, an empty line ends a paragraph.</p>
        </>
      }
    >
      {(Object.keys(texts) as Name[]).map((name) => <OneText key={name} editor={editor} page={page} name={name} />)}
    </Section>
  );
}

function OneText({ editor, page, name }: { editor: Editor; page: SettingsPage; name: Name }) {
  const { title, without } = texts[name];
  const own = editor.draft.texts[name];
  const { id, error } = editor.field(`texts.${name}`);
  const choose = (value: string | null) => {
    editor.change('texts', (before) => ({ ...before, [name]: value }), `texts.${name}`);
    editor.focusLater(value === null ? idOf(`texts.${name}.write`) : id);
  };
  if (own === null) {
    return (
      <div className="field">
        <h3>{title}</h3>
        <p>{without}</p>
        <button type="button" className="button button-outline" id={idOf(`texts.${name}.write`)} onClick={() => choose(page.defaults.texts[name] ?? '')}>
          {`Write Your Own: ${title}`}
        </button>
      </div>
    );
  }
  return (
    <>
      <Field id={id} label={title} error={error}>
        {(control) => (
          <textarea
            {...control}
            value={own}
            rows={own.length > 1000 ? 18 : 6}
            dir="auto"
            onChange={({ target }) => editor.change('texts', (before) => ({ ...before, [name]: target.value }), `texts.${name}`)}
          />
        )}
      </Field>
      <button type="button" className="button button-quiet" onClick={() => choose(null)}>{`Do without: ${title}`}</button>
    </>
  );
}
