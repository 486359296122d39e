// The weekday email with the office's to-do list.
import { Section } from './Section.tsx';
import type { Editor } from './useDraft.ts';
import { idOf } from './words.ts';

export function WaitingEmailSection({ editor }: { editor: Editor }) {
  return (
    <Section
      id="waitingEmail"
      title="Weekday Email"
      about={<p>Sent to the office’s address at 7:30 AM when something is waiting: numbers and links, no names.</p>}
    >
      <label className="tick">
        <input
          type="checkbox"
          id={idOf('waitingEmail')}
          checked={editor.draft.waitingEmail}
          onChange={({ target }) => editor.change('waitingEmail', () => target.checked)}
        />
        <span>Email the to-do list on weekday mornings</span>
      </label>
    </Section>
  );
}
