// The own account of a member of the staff: a new password, and the devices that are signed in.
import { ChangePassword } from '../components/ChangePassword.tsx';
import { Devices } from '../components/Devices.tsx';
import { PageHead } from '../components/PageHead.tsx';
import type { Prefetch } from '../guards.ts';
import { changePassword, endOtherSessions, endSession, sessionsQuery } from './queries.ts';
import { useUser } from './useUser.ts';
import '../components/OwnAccount.css';

export const prefetch: Prefetch = (client) => [client.prefetchQuery(sessionsQuery)];

export function AccountPage() {
  const { username, email, role } = useUser();
  return (
    <>
      <PageHead eyebrow="Office" title="Your Account"><p>{username} · {role} · {email}</p></PageHead>
      <div className="stack own-account">
        <ChangePassword username={username} change={changePassword} devicesKey={sessionsQuery.queryKey} />
        <Devices query={sessionsQuery} endOne={endSession} endOthers={endOtherSessions} />
      </div>
    </>
  );
}
