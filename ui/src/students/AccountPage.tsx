// The student's account page: password, second factor, devices and own data.
import { ChangePassword } from '../accounts/ChangePassword.tsx';
import { Devices } from '../accounts/Devices.tsx';
import type { Prefetch } from '../accounts/guards.ts';
import { factors } from '../accounts/secondFactor.ts';
import { SecondFactorCard } from '../accounts/SecondFactorCard.tsx';
import { useStudent } from '../accounts/signedIn.ts';
import { PageHead } from '../components/PageHead.tsx';
import { OwnData } from '../privacy/OwnData.tsx';
import { ownPrivacyQuery } from '../privacy/ownQueries.ts';
import { changePassword, endOtherSessions, endSession, sessionsQuery } from './queries.ts';
import '../accounts/OwnAccount.css';
import './dashboard.css';

export const prefetch: Prefetch = (client) => [
  client.prefetchQuery(factors.student.query),
  client.prefetchQuery(sessionsQuery),
  client.prefetchQuery(ownPrivacyQuery),
];

export function AccountPage() {
  const { email } = useStudent();
  return (
    <div className="student">
      <PageHead eyebrow="Student portal" title="Your Account"><p>{email}</p></PageHead>
      <div className="stack own-account">
        <ChangePassword username={email} change={changePassword} devicesKey={sessionsQuery.queryKey} />
        <SecondFactorCard owner={{ portal: 'student', username: email }} devicesKey={sessionsQuery.queryKey} />
        <Devices query={sessionsQuery} endOne={endSession} endOthers={endOtherSessions} />
        <OwnData />
      </div>
    </div>
  );
}
