// The office's login page, which redirects signed-in users.
import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from 'react-router';
import { destination, signIn } from '../accounts/session.ts';
import { Crest } from '../components/Crest.tsx';
import { paths } from '../paths.ts';
import '../accounts/AccountCard.css';
import './office.css';
import { useSchool } from '../school/queries.ts';
import { PlainForm } from '../template.tsx';
import { LoginForm } from './LoginForm.tsx';

export function LoginPage() {
  const school = useSchool();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { search } = useLocation();

  return (
    <div className="account-page office-door">
      <section className="card brass-edge account-card office-login">
        <Crest />
        <h1>Admin Login</h1>
        <p className="muted">{`For the staff of ${school.name}.`}</p>
        <PlainForm>
          <LoginForm
            isPlain
            help={<p className="auth-help"><Link to={paths.adminForgotPassword}>Forgot password?</Link></p>}
            onLoggedIn={(user) => {
              signIn(client, 'staff', user);
              void navigate(destination('staff', search), { replace: true });
            }}
          />
        </PlainForm>
      </section>
      <p className="cluster fine-print office-ways">
        <Link to={paths.studentAuth}>Student Login</Link>
        <Link to={paths.home}>Back to the Website</Link>
      </p>
    </div>
  );
}
