// The student's own account: a new password, a second factor, the devices that are signed in, and everything held about them.
import { ChangePassword } from '../components/ChangePassword.tsx';
import { Devices } from '../components/Devices.tsx';
import { PageHead } from '../components/PageHead.tsx';
import type { Prefetch } from '../guards.ts';
import { OwnData } from '../privacy/OwnData.tsx';
import { ownPrivacyQuery } from '../privacy/own.ts';
import { SecondFactorCard } from '../second-factor/SecondFactorCard.tsx';
import { factors } from '../second-factor/secondFactor.ts';
import { changePassword, endOtherSessions, endSession, sessionsQuery } from './queries.ts';
import { useStudent } from './useStudent.ts';
import '../components/OwnAccount.css';
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
