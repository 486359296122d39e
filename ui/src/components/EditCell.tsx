// A table cell edited in place: press to open, Enter saves, Esc cancels. In a sheet Enter also opens the cell below. An
// invalid or unsaved value stays open with its error.
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
  /** Part of a sheet that is filled in column by column. */
  isInSheet?: boolean;
  inputMode?: 'decimal' | 'text';
  /** Validates the input; null if it is valid. */
  problem: (text: string) => string | null;
  /** Rejects with an error that `said` turns into a message. */
  save: (text: string) => Promise<unknown>;
  said: (error: unknown) => string;
};

export function EditCell({ children, isInSheet = false, ...editor }: EditCellProps) {
  const { label } = editor;
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  function leave(by: EditEnd) {
    flushSync(() => setOpen(false));
    if (by !== 'pointer') button.current?.focus();
    if (by === 'enter' && isInSheet) below(button.current)?.click();
  }

  if (isOpen) return <Editor {...editor} onLeave={leave} />;
  return (
    <button type="button" ref={button} className="edit-cell" title="Press to change" onClick={() => setOpen(true)}>
      <span className="sr-only">{`Change ${label}: `}</span>{children}
    </button>
  );
}

/** The same column's button in the next row. */
function below(button: HTMLElement | null): HTMLElement | null {
  const cell = button?.closest('td');
  const row = cell?.parentElement?.nextElementSibling as HTMLTableRowElement | null | undefined;
  return row?.cells[cell?.cellIndex ?? 0]?.querySelector<HTMLElement>('.edit-cell') ?? null;
}

type EditEnd = 'enter' | 'escape' | 'pointer';

type EditorProps = Omit<EditCellProps, 'children' | 'isInSheet'> & { onLeave: (by: EditEnd) => void };

function Editor({ label, text, inputMode = 'decimal', problem, save, said, onLeave }: EditorProps) {
  const [typed, setTyped] = useState(text);
  const [fault, setFault] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const faultId = useId();

  async function finish(by: EditEnd) {
    if (isSaving) return;
    if (typed.trim() === text) return onLeave(by);
    const wrong = problem(typed);
    setFault(wrong);
    if (wrong) return;
    setSaving(true);
    try {
      await save(typed);
      onLeave(by);
    } catch (error) {
      setSaving(false);
      setFault(said(error));
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    void finish('enter');
  }

  function leaveOnEscape(event: KeyboardEvent) {
    if (event.key === 'Escape' && !isSaving) onLeave('escape');
  }

  return (
    <form className="edit-cell-form" noValidate onSubmit={submit}>
      <input
        // The press asked for this input.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        type="text"
        inputMode={inputMode}
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
        onBlur={() => void finish('pointer')}
        onChange={(event) => setTyped(event.target.value)}
      />
      {fault && <p className="floats field-error" role="alert" id={faultId}>{fault}</p>}
    </form>
  );
}
