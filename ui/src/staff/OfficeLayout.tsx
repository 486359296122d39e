// The frame of the office. Nothing in it is drawn unless a member of the staff is signed in.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation } from 'react-router';
import { FirstLoad } from '../components/FirstLoad.tsx';
import { LogoutButton } from '../components/LogoutButton.tsx';
import { PortalHeader } from '../components/PortalHeader.tsx';
import { PortalLayout } from '../components/PortalLayout.tsx';
import { useReturn } from '../components/useReturn.ts';
import { paths } from '../paths.ts';
import './office.css';
import { ClosedSection } from './ClosedSection.tsx';
import { LoginForm } from './LoginForm.tsx';
import { OfficeMenu, OfficeNav } from './OfficeNav.tsx';
import { logOutStaff, userQuery } from './queries.ts';
import { closedPage } from './sections.ts';

export function OfficeLayout() {
  const user = useQuery(userQuery).data;
  const client = useQueryClient();
  const comeBack = useReturn('staff');
  const { pathname } = useLocation();
  if (!user) return <FirstLoad />;

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
          <p className="office-person">{user.username}<span> · {user.role}</span></p>
        </PortalHeader>
      }
      aside={<OfficeNav />}
      logIn={<LoginForm username={user.username} onLoggedIn={(again) => void comeBack(client, user, again)} />}
    >
      {/* Another person begins anew. */}
      {closed ? <ClosedSection page={closed} /> : <Outlet key={user.id} context={user} />}
    </PortalLayout>
  );
}
