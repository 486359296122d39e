// A table cell edited in place: press to open, Enter saves, Esc cancels. An invalid or unsaved value stays open with
// its error.
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Elements } from './elements.ts';
import './EditCell.css';

type EditCellProps = {
  /** "Price of ENG4U". */
  label: string;
  /** The formatted value. */
  children: Elements;
  /** The editable value. */
  text: string;
  /** Validates the input; null if it is valid. */
  problem: (text: string) => string | null;
  /** Rejects with an error that `said` turns into a message. */
  save: (text: string) => Promise<unknown>;
  said: (error: unknown) => string;
};

export function EditCell({ label, children, text, problem, save, said }: EditCellProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  function leave(isByKey: boolean) {
    flushSync(() => setOpen(false));
    if (isByKey) button.current?.focus();
  }

  if (isOpen) return <Editor label={label} text={text} problem={problem} save={save} said={said} onLeave={leave} />;
  return (
    <button type="button" ref={button} className="edit-cell" title="Press to change" onClick={() => setOpen(true)}>
      <span className="sr-only">{`Change ${label}: `}</span>{children}
    </button>
  );
}

type EditorProps = Omit<EditCellProps, 'children'> & { onLeave: (isByKey: boolean) => void };

function Editor({ label, text, problem, save, said, onLeave }: EditorProps) {
  const [typed, setTyped] = useState(text);
  const [fault, setFault] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const faultId = useId();

  async function finish(isByKey: boolean) {
    if (isSaving) return;
    if (typed.trim() === text) return onLeave(isByKey);
    const wrong = problem(typed);
    setFault(wrong);
    if (wrong) return;
    setSaving(true);
    try {
      await save(typed);
      onLeave(isByKey);
    } catch (error) {
      setSaving(false);
      setFault(said(error));
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    void finish(true);
  }

  function leaveOnEscape(event: KeyboardEvent) {
    if (event.key === 'Escape' && !isSaving) onLeave(true);
  }

  return (
    <form className="edit-cell-form" noValidate onSubmit={submit}>
      <input
        // The press asked for this input.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        type="text"
        inputMode="decimal"
        autoComplete="off"
        aria-label={label}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? faultId : undefined}
        value={typed}
        // Read-only while saving: input would be lost with the cell.
        readOnly={isSaving}
        aria-busy={isSaving || undefined}
        onFocus={(event) => event.target.select()}
        onKeyDown={leaveOnEscape}
        onBlur={() => void finish(false)}
        onChange={(event) => setTyped(event.target.value)}
      />
      {fault && <p className="floats field-error" role="alert" id={faultId}>{fault}</p>}
    </form>
  );
}
