// The login tab of the student login page.
import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from 'react-router';
import { destination, signIn } from '../accounts/session.ts';
import { Notice } from '../components/Notice.tsx';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import { PlainForm } from '../template.tsx';
import { AuthHeading } from './AuthHeading.tsx';
import { LoginForm } from './LoginForm.tsx';
import '../accounts/AccountCard.css';

type AuthLoginProps = {
  email: string;
  onEmail: (email: string) => void;
  isVerified: boolean;
  /** Set if a button led here. */
  takesFocus: boolean;
  onRegister: () => void;
};

export function AuthLogin({ email, onEmail, isVerified, takesFocus, onRegister }: AuthLoginProps) {
  const school = useSchool();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { search } = useLocation();

  return (
    <>
      <AuthHeading takesFocus={takesFocus}>Welcome Back</AuthHeading>
      {isVerified && (
        <Notice kind="success">
          <p>Your email has been verified successfully! You can now log in.</p>
        </Notice>
      )}
      <PlainForm>
        <LoginForm
          isPlain
          email={email}
          onEmail={onEmail}
          help={<p className="auth-help"><Link to={paths.forgotPassword} state={{ email }}>Forgot password?</Link></p>}
          onLoggedIn={(student) => {
            signIn(client, 'student', student);
            void navigate(destination('student', search), { replace: true });
          }}
        />
      </PlainForm>
      <div className="row muted ruled auth-switch account-actions">
        <p>{`New to ${school.name}?`}</p>
        <button type="button" className="button button-outline" onClick={onRegister}>Create an Account</button>
      </div>
    </>
  );
}
