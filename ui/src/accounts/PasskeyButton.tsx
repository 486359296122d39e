// The "Use Your Passkey" button: asks the browser and hands its answer to the caller.
import { useState } from 'react';
import { failureWords } from '../api.ts';
import { SiteIcon } from '../components/SiteIcon.tsx';
import { answerPasskey, type GivenPasskey, type PasskeyQuestion, PasskeyRefused } from './passkey.ts';

export type PasskeyUse = {
  /** Loads the challenge when the button is pressed. */
  ask: () => Promise<PasskeyQuestion>;
  onAnswer: (passkey: GivenPasskey) => void;
  /** Whether an app's code is accepted as well. */
  hasApp: boolean;
};

export function PasskeyButton({ id, ask, onAnswer }: Omit<PasskeyUse, 'hasApp'> & { id: string }) {
  const [isAsking, setIsAsking] = useState(false);
  const [words, setWords] = useState<string | null>(null);

  async function use() {
    setIsAsking(true);
    setWords(null);
    try {
      onAnswer(await answerPasskey(await ask()));
    } catch (error) {
      setWords(error instanceof PasskeyRefused ? error.message : failureWords(error, 'Your passkey could not be used. Please try again in a moment.'));
    } finally {
      setIsAsking(false);
    }
  }

  return (
    <div className="passkey-use">
      <button id={id} type="button" className="button button-primary button-wide" aria-disabled={isAsking} onClick={isAsking ? undefined : () => void use()}>
        <SiteIcon name="key" /><span>{` ${isAsking ? 'Waiting for your passkey...' : 'Use Your Passkey'}`}</span>
      </button>
      <p role="status">{words}</p>
      <p className="row muted or"><span>or</span></p>
    </div>
  );
}
