// The register tab: the form, and what a person needs to know once it is sent.
import { useState } from 'react';
import { RegisterForm } from './RegisterForm.tsx';
import { RegisterInbox } from './RegisterInbox.tsx';

type RegisterPanelProps = {
  email: string;
  onEmail: (email: string) => void;
  /** The address that was registered just now. */
  registered: string | null;
  onRegistered: (email: string | null) => void;
  onLogin: () => void;
};

export function RegisterPanel({ email, onEmail, registered, onRegistered, onLogin }: RegisterPanelProps) {
  const [isCorrecting, setIsCorrecting] = useState(false);

  function correct() {
    setIsCorrecting(true);
    onRegistered(null);
  }

  if (registered !== null) return <RegisterInbox email={registered} onCorrect={correct} onLogin={onLogin} />;
  return (
    <>
      <h2>Create Your Account</h2>
      <p>Registration takes a minute. You complete your profile later.</p>
      <RegisterForm email={email} onEmail={onEmail} takesFocus={isCorrecting} onRegistered={onRegistered} />
      <div className="auth-switch">
        <p>Already registered?</p>
        <button type="button" className="button button-outline" onClick={onLogin}>Log In Instead</button>
      </div>
    </>
  );
}
