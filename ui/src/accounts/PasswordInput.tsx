// A password field with a button to show or hide it.
import { type InputHTMLAttributes, type Ref, useState } from 'react';
import { SiteIcon } from '../components/SiteIcon.tsx';
import './PasswordInput.css';

type PasswordInputProps = InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> };

export function PasswordInput(props: PasswordInputProps) {
  const [isShown, setIsShown] = useState(false);

  return (
    <div className="password">
      <input {...props} type={isShown ? 'text' : 'password'} spellCheck={false} autoCapitalize="none" />
      <button
        type="button"
        className="icon-button"
        aria-label={isShown ? 'Hide password' : 'Show password'}
        aria-controls={props.id}
        onClick={() => setIsShown(!isShown)}
      >
        <SiteIcon name={isShown ? 'hidden' : 'eye'} />
      </button>
    </div>
  );
}
