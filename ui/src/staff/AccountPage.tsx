// The account page of a staff member: second factor, email, weekday email, password and devices.
import { ChangePassword } from '../accounts/ChangePassword.tsx';
import { Devices } from '../accounts/Devices.tsx';
import type { Prefetch } from '../accounts/guards.ts';
import { factors } from '../accounts/secondFactor.ts';
import { SecondFactorCard } from '../accounts/SecondFactorCard.tsx';
import { useUser } from '../accounts/signedIn.ts';
import { Notice } from '../components/Notice.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { DigestCard } from './DigestCard.tsx';
import { EmailCard } from './EmailCard.tsx';
import { changePassword, endOtherSessions, endSession, sessionsQuery } from './queries.ts';
import { roleTitle } from './roles.ts';
import { SheetsCard } from './SheetsCard.tsx';
import '../accounts/OwnAccount.css';

export const prefetch: Prefetch = (client) => [client.prefetchQuery(sessionsQuery), client.prefetchQuery(factors.staff.query)];

export function AccountPage() {
  const { username, fullName, email, role, needsSecondFactor } = useUser();
  return (
    <>
      <PageHead eyebrow="Office" title="Your Account"><p>{fullName && <><bdi>{fullName}</bdi><span> · </span></>}<span>{`${username} · ${roleTitle(role)} · `}</span><bdi>{email}</bdi></p></PageHead>
      <div className="stack own-account">
        {needsSecondFactor && (
          <Notice kind="plain" title="Please set up a second factor first">
            <p>{`The school requires one for the role ${roleTitle(role)}. Until then you can only open this page.`}</p>
          </Notice>
        )}
        <SecondFactorCard owner={{ portal: 'staff', username }} devicesKey={sessionsQuery.queryKey} />
        <EmailCard />
        <DigestCard />
        <SheetsCard />
        <ChangePassword username={username} change={changePassword} devicesKey={sessionsQuery.queryKey} />
        <Devices query={sessionsQuery} endOne={endSession} endOthers={endOtherSessions} />
      </div>
    </>
  );
}
