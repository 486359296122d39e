// The lists of campus and people pictures.
import type { UploadedPicture } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import type { Elements } from '../components/elements.ts';
import { newRow } from './draft.ts';
import { Picture } from './Picture.tsx';
import { PictureUpload } from './PictureUpload.tsx';
import { RowHead, Section } from './Section.tsx';
import type { Editor } from './useDraft.ts';
import { idOf } from './words.ts';

export function CampusSection({ editor }: { editor: Editor }) {
  const { campus } = editor.draft;

  function add(picture: UploadedPicture) {
    editor.addPicture(picture);
    editor.change('campus', (rows) => [...rows, newRow({ picture: picture.id, alt: '' })], 'campus.new');
    editor.focusLater(idOf(`campus.${campus.length}.alt`));
  }

  return (
    <Section id="campus" title="Campus" about={<p>Rooms, the building, the street: side by side on the home page.</p>}>
      <ul className="grid settings-samples">
        {campus.map(({ key, picture, alt }, at) => (
          <PictureRow key={key} editor={editor} part="campus" at={at} name={`Picture ${at + 1}`} picture={picture} alt={alt} isBlank={!alt}>
            <RowField editor={editor} part="campus" at={at} name="alt" label="What it shows" value={alt} />
          </PictureRow>
        ))}
      </ul>
      <AddPicture part="campus" count={campus.length} max={6} label="Add a picture" onUploaded={add} />
    </Section>
  );
}

export function PeopleSection({ editor }: { editor: Editor }) {
  const { people } = editor.draft;

  function add(picture: UploadedPicture) {
    editor.addPicture(picture);
    editor.change('people', (rows) => [...rows, newRow({ picture: picture.id, name: '', role: '' })], 'people.new');
    editor.focusLater(idOf(`people.${people.length}.name`));
  }

  return (
    <Section id="people" title="People" about={<p>Who teaches and works here. Please ask each of them first.</p>}>
      <ul className="grid settings-samples">
        {people.map(({ key, picture, name, role }, at) => (
          <PictureRow key={key} editor={editor} part="people" at={at} name={`Person ${at + 1}`} picture={picture} alt={name} isBlank={!name && !role}>
            <RowField editor={editor} part="people" at={at} name="name" label="Name" value={name} />
            <RowField editor={editor} part="people" at={at} name="role" label="What they do" value={role} />
          </PictureRow>
        ))}
      </ul>
      <AddPicture part="people" count={people.length} max={12} label="Add a person’s picture" onUploaded={add} />
    </Section>
  );
}

type RowProps = { editor: Editor; part: 'campus' | 'people'; at: number };

function PictureRow({ name, picture, alt, isBlank, children, ...row }: RowProps & { name: string; picture: string; alt: string; isBlank: boolean; children: Elements }) {
  const { id, error } = row.editor.field(`${row.part}.${row.at}.picture`);
  return (
    <li>
      <RowHead {...row} name={name} isBlank={isBlank} />
      <Picture picture={row.editor.pictures[picture]} alt={alt} {...(row.part === 'people' && { look: 'square' as const })} />
      {error && <p className="field-error" id={id} tabIndex={-1}>{error}</p>}
      {children}
    </li>
  );
}

function RowField({ editor, part, at, name, label, value }: RowProps & { name: string; label: string; value: string }) {
  return (
    <Field {...editor.field(`${part}.${at}.${name}`)} label={label}>
      {(control) => <input {...control} type="text" value={value} maxLength={part === 'campus' ? 200 : 80} dir="auto" autoComplete="off" onChange={({ target }) => editor.changeRow(part, at, name, target.value)} />}
    </Field>
  );
}

type AddPictureProps = { part: 'campus' | 'people'; count: number; max: number; label: string; onUploaded: (picture: UploadedPicture) => void };

function AddPicture({ part, count, max, ...upload }: AddPictureProps) {
  if (count >= max) return <p className="fine-print">{`The maximum is ${max}.`}</p>;
  return <PictureUpload {...upload} id={idOf(`${part}.add`)} />;
}
