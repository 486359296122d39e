// The register tab: the form, and what follows.
import { useState } from 'react';
import { AuthHeading } from './AuthHeading.tsx';
import { RegisterForm } from './RegisterForm.tsx';
import { RegisterInbox } from './RegisterInbox.tsx';

type RegisterPanelProps = {
  email: string;
  onEmail: (email: string) => void;
  /** The email just registered. */
  registered: string | null;
  /** Set if a button led here. */
  takesFocus: boolean;
  onRegistered: (email: string | null) => void;
  onLogin: () => void;
};

export function RegisterPanel(props: RegisterPanelProps) {
  const { email, onEmail, registered, takesFocus, onRegistered, onLogin } = props;
  const [isCorrecting, setIsCorrecting] = useState(false);

  function correct() {
    setIsCorrecting(true);
    onRegistered(null);
  }

  if (registered !== null) {
    return <RegisterInbox email={registered} takesFocus={takesFocus} onCorrect={correct} onLogin={onLogin} />;
  }
  return (
    <>
      <AuthHeading takesFocus={takesFocus && !isCorrecting}>Create Your Account</AuthHeading>
      <p>Registration takes a minute. You complete your profile later.</p>
      <RegisterForm email={email} onEmail={onEmail} takesFocus={isCorrecting} onRegistered={onRegistered} />
      <div className="row muted ruled auth-switch account-actions">
        <p>Already registered?</p>
        <button type="button" className="button button-outline" onClick={onLogin}>Log In Instead</button>
      </div>
    </>
  );
}
