// The students' door: login and registration side by side with what awaits behind it. Whoever is
// signed in already never sees it.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { Notice } from '../components/Notice.tsx';
import { tabId, Tabs } from '../components/Tabs.tsx';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import { destination, tellOtherTabs } from '../session.ts';
import { AuthPanel } from './AuthPanel.tsx';
import { useAuthView } from './authView.ts';
import { LoginForm } from './LoginForm.tsx';
import { studentQuery } from './queries.ts';
import { RegisterPanel } from './RegisterPanel.tsx';

const panelId = 'auth-panel';
const tabs = [
  { value: 'login', label: 'Login', href: paths.studentAuth },
  { value: 'register', label: 'Register', href: paths.studentRegister },
] as const;

export function AuthPage() {
  const school = useSchool();
  const { view, showTab } = useAuthView();
  // An address typed on one tab need not be typed again on the other.
  const [email, setEmail] = useState('');
  const [registered, setRegistered] = useState<string | null>(null);

  return (
    <div className="wrap auth-page">
      <div className="auth">
        <section className="auth-main">
          <p className="eyebrow">Student portal</p>
          <h1>Student Login</h1>
          <Tabs label="Login or register" tabs={tabs} selected={view.tab} panelId={panelId} onSelect={showTab} />
          <div id={panelId} role="tabpanel" aria-labelledby={tabId(panelId, view.tab)}>
            {view.tab === 'login' ? (
              <LoginPanel email={email} onEmail={setEmail} isVerified={view.isVerified} onRegister={() => showTab('register')} />
            ) : (
              <RegisterPanel
                email={email}
                onEmail={setEmail}
                registered={registered}
                onRegistered={setRegistered}
                onLogin={() => showTab('login')}
              />
            )}
          </div>
        </section>
        <AuthPanel school={school} step={currentStep(view, registered)} />
      </div>
    </div>
  );
}

/** Where a newcomer stands among the five steps; a student who merely logs in is at none of them. */
function currentStep({ tab, isVerified }: { tab: string; isVerified: boolean }, registered: string | null) {
  if (tab === 'register') return registered === null ? 1 : 2;
  return isVerified ? 3 : null;
}

type LoginPanelProps = { email: string; onEmail: (email: string) => void; isVerified: boolean; onRegister: () => void };

function LoginPanel({ email, onEmail, isVerified, onRegister }: LoginPanelProps) {
  const school = useSchool();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { search } = useLocation();

  return (
    <>
      <h2>Welcome Back</h2>
      <p>Log in with the email address that you registered.</p>
      {isVerified && (
        <Notice kind="success">
          <p>Your email has been verified successfully! You can now log in.</p>
        </Notice>
      )}
      <LoginForm
        email={email}
        onEmail={onEmail}
        help={<p className="auth-help"><Link to={paths.forgotPassword} state={{ email }}>Forgot password?</Link></p>}
        onLoggedIn={(student) => {
          client.setQueryData(studentQuery.queryKey, student);
          tellOtherTabs('student');
          void navigate(destination('student', search), { replace: true });
        }}
      />
      <div className="auth-switch">
        <p>New to {school.name}?</p>
        <button type="button" className="button button-outline" onClick={onRegister}>Create an Account</button>
      </div>
    </>
  );
}
