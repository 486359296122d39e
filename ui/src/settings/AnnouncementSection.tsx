// The announcement above every public page, with its dates.
import type { ControlProps } from '../components/Field.tsx';
import { Field } from '../components/Field.tsx';
import { useSchoolDay } from '../school/useSchoolDay.ts';
import { type Announcement, noAnnouncement } from './draft.ts';
import { Section } from './Section.tsx';
import type { Editor } from './useDraft.ts';
import { announcementState } from './words.ts';

export function AnnouncementSection({ editor }: { editor: Editor }) {
  const { banner } = editor.draft;
  const now = announcementState(banner, useSchoolDay());
  const control = (name: keyof Announcement) => ({ id, ...aria }: ControlProps) => ({
    ...aria,
    id,
    value: banner[name],
    onChange: ({ target }: { target: { value: string } }) => editor.change('banner', (before) => ({ ...before, [name]: target.value }), `banner.${name}`),
  });

  function clear() {
    editor.change('banner', () => noAnnouncement);
    editor.focusLater('announcement');
  }

  return (
    <Section id="announcement" title="Announcement" about={<><p>One line above every public page: an open house, a closed office, a deadline.</p><p role="status">{now && <span className={`badge tone-${now.tone}`}>{now.words}</span>}</p></>}>
      <Field {...editor.field('banner.text')} label="Text">
        {(wired) => <textarea {...control('text')(wired)} rows={2} maxLength={200} dir="auto" />}
      </Field>
      <div className="grid field-pair">
        <Field {...editor.field('banner.linkText')} label="Link text (optional)">
          {(wired) => <input {...control('linkText')(wired)} type="text" maxLength={40} dir="auto" placeholder="Register" />}
        </Field>
        <Field {...editor.field('banner.linkTo')} label="Link address">
          {(wired) => <input {...control('linkTo')(wired)} type="text" inputMode="url" spellCheck={false} autoComplete="off" placeholder="/contact or https://…" />}
        </Field>
        <Field {...editor.field('banner.from')} label="First day (optional)">
          {(wired) => <input {...control('from')(wired)} type="date" />}
        </Field>
        <Field {...editor.field('banner.until')} label="Last day (optional)">
          {(wired) => <input {...control('until')(wired)} type="date" min={banner.from || undefined} />}
        </Field>
      </div>
      {banner !== noAnnouncement && Object.values(banner).some(Boolean) && <button type="button" className="button button-quiet" onClick={clear}>Remove the Announcement</button>}
    </Section>
  );
}
