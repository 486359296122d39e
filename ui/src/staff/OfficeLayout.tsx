// The frame of the office. Renders nothing unless a staff member is signed in.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Navigate, Outlet, useLocation } from 'react-router';
import { LogoutButton } from '../accounts/LogoutButton.tsx';
import { PortalHeader } from '../accounts/PortalHeader.tsx';
import { PortalLayout } from '../accounts/PortalLayout.tsx';
import { userQuery } from '../accounts/signedIn.ts';
import { StepUp } from '../accounts/StepUp.tsx';
import { useHasSessionEnded } from '../accounts/sessionEnd.ts';
import { useReturn } from '../accounts/useReturn.ts';
import { FirstLoad } from '../components/FirstLoad.tsx';
import { usePartLater } from '../components/usePartLater.ts';
import './office.css';
import { officePaths } from '../officePaths.ts';
import { paths } from '../paths.ts';
import { ClosedSection } from './ClosedSection.tsx';
import { OfficeMenu, OfficeNav } from './OfficeNav.tsx';
import { logOutStaff } from './queries.ts';
import { SearchButton } from './SearchPalette.tsx';
import { closedPage } from './sections.ts';

export function OfficeLayout() {
  const user = useQuery(userQuery).data;
  const client = useQueryClient();
  const comeBack = useReturn('staff');
  const login = usePartLater(() => import('./LoginForm.tsx'), useHasSessionEnded());
  const { pathname } = useLocation();
  if (!user) return <FirstLoad />;

  if (user.needsSecondFactor && pathname !== officePaths.account) return <Navigate to={officePaths.account} replace />;

  const closed = closedPage(user, pathname);

  const logout = (
    <LogoutButton
      portal="staff"
      logOut={logOutStaff}
      title="Logged out"
      description="You have been logged out successfully."
    />
  );
  return (
    <PortalLayout
      portal="staff"
      header={
        <PortalHeader home={paths.adminDashboard} menu={<OfficeMenu />} logout={logout}>
          <SearchButton />
          <p className="office-person"><span>{user.username}</span><span>{user.role && ` · ${user.role}`}</span></p>
        </PortalHeader>
      }
      aside={<OfficeNav />}
      logIn={login && <login.LoginForm username={user.username} onLoggedIn={(again) => void comeBack(client, user, again)} />}
    >
      {/* Reset the state for another user. */}
      {closed ? <ClosedSection page={closed} /> : <Outlet key={user.id} context={user} />}
      <StepUp owner={{ portal: 'staff', username: user.username }} hasSecondFactor={user.hasSecondFactor} />
    </PortalLayout>
  );
}
