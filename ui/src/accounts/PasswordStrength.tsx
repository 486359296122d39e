// How hard a new password is to guess: a meter and a sentence, while it is typed.
import { useEffect, useState } from 'react';
import { passwordStrength } from './passwordStrength.ts';
import './PasswordStrength.css';

/** A pause in typing. Whoever listens hears one sentence, not one for each letter. */
const pauseMs = 1200;

type PasswordStrengthProps = {
  id: string;
  password: string;
  /** What everybody knows of its owner. */
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
