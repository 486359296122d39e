// The single pictures: crest and hero picture.
import { Field } from '../components/Field.tsx';
import { Picture } from './Picture.tsx';
import { PictureUpload } from './PictureUpload.tsx';
import { Section } from './Section.tsx';
import type { Editor } from './useDraft.ts';
import { idOf } from './words.ts';

export function CrestSection({ editor }: { editor: Editor }) {
  const { draft: { crest }, pictures } = editor;

  function set(id: string | null) {
    editor.change('crest', () => id);
    editor.focusLater(id === null ? 'crest' : idOf('crest.remove'));
  }

  return (
    <Section id="crest" title="Crest" about={<p>Replaces the drawn one in every header. A PNG with a transparent background looks best: it is shown on light and on dark.</p>}>
      {crest && (
        <div className="grid settings-samples">
          <div className="card" style={{ colorScheme: 'light' }}><Picture picture={pictures[crest]} alt="The crest on light" look="crest" /></div>
          <div className="card navy"><Picture picture={pictures[crest]} alt="The crest on dark" look="crest" /></div>
        </div>
      )}
      <PictureUpload
        {...editor.field('crest')}
        label={crest ? 'Another crest' : 'Your crest'}
        hint="PNG, up to 10 MB, at least 120 pixels wide."
        onUploaded={(picture) => {
          editor.addPicture(picture);
          set(picture.id);
        }}
      />
      {crest && <button type="button" className="button button-quiet" id={idOf('crest.remove')} onClick={() => set(null)}>Remove the Crest</button>}
    </Section>
  );
}

export function HeroSection({ editor }: { editor: Editor }) {
  const { draft: { hero }, pictures } = editor;

  function remove() {
    editor.change('hero', () => null);
    editor.focusLater('hero');
  }

  return (
    <Section id="hero" title="Hero Picture" about={<p>Beside the first words of the home page: the best picture you have, wide rather than high.</p>}>
      {hero && (
        <>
          <Picture picture={pictures[hero.picture]} alt={hero.alt} />
          <Field {...editor.field('hero.alt')} label="What it shows" hint="Read aloud to people who cannot see it.">
            {(control) => (
              <input {...control} type="text" value={hero.alt} maxLength={200} dir="auto" onChange={({ target }) => editor.change('hero', (before) => before && { ...before, alt: target.value }, 'hero.alt')} />
            )}
          </Field>
        </>
      )}
      <PictureUpload
        {...editor.field('hero.picture')}
        label={hero ? 'Another picture' : 'Hero picture'}
        onUploaded={(picture) => {
          editor.addPicture(picture);
          editor.change('hero', (before) => ({ picture: picture.id, alt: before?.alt ?? '' }), 'hero.picture');
          editor.focusLater(idOf('hero.alt'));
        }}
      />
      {hero && <button type="button" className="button button-quiet" onClick={remove}>Remove the Hero Picture</button>}
    </Section>
  );
}
