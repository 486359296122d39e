// The office's login page. Whoever is signed in already never sees it.
import { useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { Crest } from '../components/Crest.tsx';
import { useSchool } from '../school/queries.ts';
import './office.css';
import { destination, signIn } from '../session.ts';
import { LoginForm } from './LoginForm.tsx';
import '../school/bands.css';

export function LoginPage() {
  const school = useSchool();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { search } = useLocation();

  return (
    <div className="wrap band">
      <section className="card brass-edge office-login">
        <Crest />
        <h1>Admin Login</h1>
        <p className="muted">For the staff of {school.name}.</p>
        <LoginForm
          onLoggedIn={(user) => {
            signIn(client, 'staff', user);
            void navigate(destination('staff', search), { replace: true });
          }}
        />
      </section>
    </div>
  );
}
