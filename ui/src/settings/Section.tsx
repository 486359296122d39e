// A section of the settings, and the tools of its rows.
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { Icon } from '../components/Icon.tsx';
import type { Elements } from '../components/elements.ts';
import { type Draft, type ListPart, moveRow } from './draft.ts';
import type { Editor } from './useDraft.ts';
import { idOf } from './words.ts';

type SectionProps = { id: string; title: string; about: ReactNode; children: Elements };

export function Section({ id, title, about, children }: SectionProps) {
  return (
    <section className="card split settings-part" aria-labelledby={id}>
      <div>
        <h2 id={id} tabIndex={-1}>{title}</h2>
        <div className="fine-print">{about}</div>
      </div>
      <div>{children}</div>
    </section>
  );
}

type RowHeadProps = {
  editor: Editor;
  part: ListPart;
  at: number;
  /** "Question 2". */
  name: string;
  isBlank: boolean;
  /** Set if the server sorts the rows, so that they cannot be moved. */
  isInOrder?: boolean;
};

/** A row's name, move and remove tools; the focus stays with it, or moves to its neighbour. */
export function RowHead({ editor, part, at, name, isBlank, isInOrder = false }: RowHeadProps) {
  const [isAsking, setIsAsking] = useState(false);
  const count = editor.draft[part].length;
  const id = (place: number, tool: string) => idOf(`${part}.${place}.${tool}`);

  function move(to: number, tool: 'up' | 'down') {
    const isAtEnd = to === (tool === 'up' ? 0 : count - 1);
    editor.change(part, (rows) => moveRow<Draft[ListPart][number]>(rows, at, to) as typeof rows);
    editor.say(`${name} is now in place ${to + 1} of ${count}.`);
    editor.focusLater(id(to, isAtEnd ? (tool === 'up' ? 'down' : 'up') : tool));
  }

  function remove() {
    setIsAsking(false);
    editor.change(part, (rows) => rows.toSpliced(at, 1) as typeof rows);
    editor.say(`${name} is removed.`);
    editor.focusLater(count > 1 ? id(Math.min(at, count - 2), 'remove') : idOf(`${part}.add`));
  }

  return (
    <div className="row settings-row">
      <h3>{name}</h3>
      <div className="cluster">
        {!isInOrder && at > 0 && <Tool id={id(at, 'up')} icon="up" label={`Move up: ${name}`} onPress={() => move(at - 1, 'up')} />}
        {!isInOrder && at < count - 1 && <Tool id={id(at, 'down')} icon="chevron" label={`Move down: ${name}`} onPress={() => move(at + 1, 'down')} />}
        <Tool id={id(at, 'remove')} icon="trash" label={`Remove: ${name}`} onPress={() => (isBlank ? remove() : setIsAsking(true))} />
      </div>
      {isAsking && (
        <ConfirmDialog title={`Remove ${name}?`} confirmLabel="Remove" isDangerous onConfirm={remove} onClose={() => setIsAsking(false)}>
          <p>Its content is removed too.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

type ToolProps = { id: string; icon: 'up' | 'chevron' | 'trash'; label: string; onPress: () => void };

function Tool({ id, icon, label, onPress }: ToolProps) {
  return <button type="button" className="icon-button" id={id} aria-label={label} onClick={onPress}><Icon name={icon} /></button>;
}

type AddButtonProps = { part: ListPart; count: number; max: number; words: string; onAdd: () => void };

export function AddButton({ part, count, max, words, onAdd }: AddButtonProps) {
  if (count >= max) return <p className="fine-print">{`The maximum is ${max}.`}</p>;
  return <button type="button" className="button button-outline" id={idOf(`${part}.add`)} onClick={onAdd}><Icon name="plus" /><span>{` ${words}`}</span></button>;
}
