// Ten recovery codes, shown once: to be copied, saved or printed.
import { useEffect, useRef } from 'react';
import { showFailure, showToast } from '../components/toasts.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { useSchool } from '../school/queries.ts';

/** The question on leaving before the codes are confirmed as saved. */
const lost = {
  title: 'Leave without the recovery codes?',
  leave: 'Leave',
  stay: 'Stay',
  words: 'They are shown only once. If you lose both them and your phone, you need help to log in again.',
};

type RecoveryCodesProps = { username: string; codes: string[]; onKept: () => void };

export function RecoveryCodes({ username, codes, onKept }: RecoveryCodesProps) {
  const { name } = useSchool();
  const { question } = useUnsavedChanges(true, lost);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const text = `Recovery codes of ${username} at ${name}. Each works once, in place of the app’s code.\n\n${codes.join('\n')}\n`;

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      showToast('Copied', 'The recovery codes are on the clipboard.');
    } catch {
      showFailure('Not copied', 'Your browser does not allow it. Please save or print the codes instead.');
    }
  }

  function save() {
    const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = `recovery-codes-${username}.txt`;
    link.click();
    URL.revokeObjectURL(address);
  }

  return (
    <div className="recovery-codes">
      <h3 ref={heading} tabIndex={-1}>Save These Recovery Codes</h3>
      <p>They are shown only once. Each logs you in once as <strong>{username}</strong> if you lose your phone. Keep them away from the phone: on paper, or in a password manager.</p>
      <ol aria-label="Recovery codes">
        {codes.map((code) => <li key={code}><code>{code}</code></li>)}
      </ol>
      <div className="cluster">
        <button type="button" className="button button-outline" onClick={() => void copy()}>Copy</button>
        <button type="button" className="button button-outline" onClick={save}>Save as Text</button>
        <button type="button" className="button button-outline" onClick={() => window.print()}>Print</button>
        <button type="button" className="button button-primary" onClick={onKept}>I Have Saved Them</button>
      </div>
      {question}
    </div>
  );
}
