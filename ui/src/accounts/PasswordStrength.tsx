// Strength meter of a new password, with a sentence of advice.
import { useEffect, useState } from 'react';
import { passwordStrength } from './passwordStrength.ts';
import './PasswordStrength.css';

/** Pause in typing before the advice is announced: screen readers hear one sentence, not one per letter. */
const pauseMs = 1200;

type PasswordStrengthProps = {
  id: string;
  password: string;
  /** Public facts about the owner. */
  own: string[];
};

export function PasswordStrength({ id, password, own }: PasswordStrengthProps) {
  const { level, label, advice } = passwordStrength(password, own);
  const words = password ? `${label}: ${advice}` : '';
  const [heard, setHeard] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setHeard(words), pauseMs);
    return () => clearTimeout(timer);
  }, [words]);

  return (
    <div className="strength" data-level={level}>
      <span className="strength-meter" aria-hidden="true">
        {[1, 2, 3, 4].map((step) => <span key={step} className={step <= level ? 'is-filled' : undefined} />)}
      </span>
      <p id={id}>{label && <strong>{`${label}: `}</strong>}<span>{advice}</span></p>
      <span className="sr-only" role="status">{heard}</span>
    </div>
  );
}
