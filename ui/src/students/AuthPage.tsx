// The student login page with login and registration tabs, which redirects signed-in students.
import { useState } from 'react';
import { tabId, Tabs } from '../components/Tabs.tsx';
import { paths } from '../paths.ts';
import { useSchool } from '../school/queries.ts';
import { AuthLogin } from './AuthLogin.tsx';
import { AuthPanel } from './AuthPanel.tsx';
import { type AuthTab, useAuthView } from './authView.ts';
import { RegisterPanel } from './RegisterPanel.tsx';
import './AuthPage.css';

const panelId = 'auth-forms';
const tabs = [
  { value: 'login', label: 'Login', href: paths.studentAuth },
  { value: 'register', label: 'Register', href: paths.studentRegister },
] as const;

export function AuthPage() {
  const school = useSchool();
  const { view, registered, setRegistered, showTab } = useAuthView();
  // An email typed on one tab is kept on the other.
  const [email, setEmail] = useState(registered ?? '');
  const [isLed, setIsLed] = useState(false);

  function choose(tab: AuthTab, isKey: boolean) {
    setIsLed(false);
    showTab(tab, isKey);
  }

  function leadTo(tab: AuthTab) {
    setIsLed(true);
    showTab(tab);
  }

  return (
    <div className="wrap">
      <div className="card split split-even auth">
        <section className="auth-main stack screen-only">
          <p className="eyebrow">Student portal</p>
          <h1>{view.tab === 'login' ? 'Student Login' : 'Student Registration'}</h1>
          <Tabs label="Login or register" tabs={tabs} selected={view.tab} panelId={panelId} onSelect={choose} />
          <div id={panelId} className="stack" role="tabpanel" aria-labelledby={tabId(panelId, view.tab)}>
            {view.tab === 'login' ? (
              <AuthLogin
                email={email}
                onEmail={setEmail}
                isVerified={view.isVerified}
                takesFocus={isLed}
                onRegister={() => leadTo('register')}
              />
            ) : (
              <RegisterPanel
                email={email}
                onEmail={setEmail}
                registered={registered}
                takesFocus={isLed}
                onRegistered={(address) => {
                  setIsLed(true);
                  setRegistered(address);
                }}
                onLogin={() => leadTo('login')}
              />
            )}
          </div>
        </section>
        <AuthPanel school={school} step={currentStep(view, registered)} />
      </div>
    </div>
  );
}

/** The current registration step; none for a login. */
function currentStep({ tab, isVerified }: { tab: string; isVerified: boolean }, registered: string | null) {
  if (tab === 'register') return registered === null ? 1 : 2;
  return isVerified ? 3 : null;
}
