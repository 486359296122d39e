// Why a document is rejected: a code, which is one press, and more about it where that helps. Its student reads both.
import { type KeyboardEvent, useState } from 'react';
import type { RejectCode, StudentDocument } from '../../api-types.ts';
import { wordsOf } from '../../closedSets.ts';
import { Dialog } from '../../components/Dialog.tsx';
import { documentName, rejectCodes } from '../types.ts';
import './dialogs.css';

type RejectDialogProps = { document: StudentDocument; onClose: () => void; onReject: (code: RejectCode, text: string) => void };

/** Focused as the dialog opens, not after it is drawn: the next key may follow at once. */
const focusFirst = (button: HTMLButtonElement | null) => button?.setAttribute('autofocus', '');

export function RejectDialog({ document, onClose, onReject }: RejectDialogProps) {
  const [text, setText] = useState('');
  const codes = wordsOf(rejectCodes);

  /** 1 to 5, unless one types. */
  function choose(event: KeyboardEvent) {
    const code = codes[Number(event.key) - 1];
    if (!code || event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    onReject(code, text);
  }

  return (
    <Dialog title={`Reject ${documentName(document)}`} onClose={onClose}>
      {/* The keys are those of the buttons inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div onKeyDown={choose}>
        <p>The student gets an email with what you choose, and is asked for a new one.</p>
        <div className="field">
          <label htmlFor="reject-text">More about it (optional)</label>
          <textarea id="reject-text" rows={2} maxLength={500} dir="auto" value={text} onChange={(event) => setText(event.target.value)} />
        </div>
        <ul className="bare stack reject-codes">
          {codes.map((code, index) => (
            <li key={code}>
              <button type="button" ref={index === 0 ? focusFirst : undefined} aria-keyshortcuts={String(index + 1)} className="button button-outline" onClick={() => onReject(code, text)}>
                <span>{`${rejectCodes[code]} `}</span><kbd aria-hidden="true">{index + 1}</kbd>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
