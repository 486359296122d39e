// Rules of the office: who confirms for a student under 18, and the weekday email with the to-do list.
import { Section } from './Section.tsx';
import type { Editor } from './useDraft.ts';
import { idOf } from './words.ts';

/** `isDefault`: as the configuration says, until the office chooses. */
export function GuardiansSection({ editor, isDefault }: { editor: Editor; isDefault: boolean }) {
  return (
    <Section id="everyGuardianConfirms" title="Guardians" about={<p>For a student under 18 who names several, one is enough otherwise. An agency confirms nothing.</p>}>
      <Switch editor={editor} part="everyGuardianConfirms" isOn={editor.draft.everyGuardianConfirms ?? isDefault} words="Every parent or guardian confirms a request" />
    </Section>
  );
}

export function WaitingEmailSection({ editor }: { editor: Editor }) {
  return (
    <Section
      id="waitingEmail"
      title="Weekday Email"
      about={<p>Sent to the office’s address at 7:30 AM when something is waiting: numbers and links, no names.</p>}
    >
      <Switch editor={editor} part="waitingEmail" isOn={editor.draft.waitingEmail} words="Email the to-do list on weekday mornings" />
    </Section>
  );
}

type SwitchProps = { editor: Editor; part: 'everyGuardianConfirms' | 'waitingEmail'; isOn: boolean; words: string };

function Switch({ editor, part, isOn, words }: SwitchProps) {
  return (
    <label className="tick">
      <input type="checkbox" id={idOf(part)} checked={isOn} onChange={({ target }) => editor.change(part, () => target.checked)} />
      <span>{words}</span>
    </label>
  );
}
