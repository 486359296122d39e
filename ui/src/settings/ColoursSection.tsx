// The school's two colours, with a sample.
import { useMemo } from 'react';
import { Field } from '../components/Field.tsx';
import tokens from '../styles/tokens.css?raw';
import { brass, navy, paletteOf } from './colours.ts';
import { colourOf } from './draft.ts';
import { Section } from './Section.tsx';
import type { Editor } from './useDraft.ts';

const choices = [
  { name: 'main', path: 'colour', label: 'Main colour', hint: 'For navy: headings, buttons, links.', own: navy },
  { name: 'accent', path: 'accent', label: 'Accent colour', hint: 'For brass: lines, small headings.', own: brass },
] as const;

const isWhole = (colour: string | null) => colour !== null && /^#[\da-f]{6}$/.test(colour);

export function ColoursSection({ editor }: { editor: Editor }) {
  const { colours } = editor.draft;
  const choose = (name: 'main' | 'accent', path: string, value: string) => editor.change('colours', (before) => ({ ...before, [name]: value }), path);

  function reset() {
    editor.change('colours', () => ({ main: '', accent: '' }), 'colour');
    editor.focusLater('colours');
  }

  return (
    <Section id="colours" title="Colours" about={<p>Choose any two. The site takes their hues and keeps its own lightness, so that everything stays as readable as it was.</p>}>
      <div className="grid field-pair">
        {choices.map(({ name, path, label, hint, own }) => {
          const chosen = colourOf(colours[name]);
          return (
            <Field key={name} {...editor.field(path)} label={label} hint={hint}>
              {(control) => (
                <div className="settings-colour">
                  <input type="color" aria-label={`${label}: pick`} value={chosen && isWhole(chosen) ? chosen : own} onChange={({ target }) => choose(name, path, target.value)} />
                  <input {...control} type="text" value={colours[name]} placeholder={own} maxLength={7} autoComplete="off" spellCheck={false} onChange={({ target }) => choose(name, path, target.value)} />
                </div>
              )}
            </Field>
          );
        })}
      </div>
      <Samples main={colourOf(colours.main)} accent={colourOf(colours.accent)} />
      {(colours.main || colours.accent) && <button type="button" className="button button-quiet" onClick={reset}>Back to the School’s Navy and Brass</button>}
    </Section>
  );
}

function Samples({ main, accent }: { main: string | null; accent: string | null }) {
  const palette = useMemo(() => paletteOf(tokens, main, accent), [main, accent]);
  return (
    <div className="grid settings-samples">
      {(['light', 'dark'] as const).map((scheme) => (
        <div key={scheme} className="card brass-edge" role="img" aria-label={`A sample in ${scheme}`} style={{ ...palette, colorScheme: scheme, color: 'var(--text)' }}>
          <p className="eyebrow">Grade 12</p>
          <h3>Welcome to our school</h3>
          <p>Every course has <u>a page of its own</u>.</p>
          <span className="button button-primary">Apply Now</span>
        </div>
      ))}
    </div>
  );
}
