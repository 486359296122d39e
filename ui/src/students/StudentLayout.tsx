// The frame of the student portal. Renders nothing unless a student is signed in.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { NavLink, Outlet } from 'react-router';
import { LogoutButton } from '../accounts/LogoutButton.tsx';
import { PortalHeader } from '../accounts/PortalHeader.tsx';
import { PortalLayout } from '../accounts/PortalLayout.tsx';
import { studentQuery } from '../accounts/signedIn.ts';
import { StepUp } from '../accounts/StepUp.tsx';
import { useHasSessionEnded } from '../accounts/sessionEnd.ts';
import { useReturn } from '../accounts/useReturn.ts';
import { FirstLoad } from '../components/FirstLoad.tsx';
import { usePartLater } from '../components/usePartLater.ts';
import { pagesOf } from '../pages.ts';
import { paths } from '../paths.ts';
import { logOutStudent } from './queries.ts';

export function StudentLayout() {
  const student = useQuery(studentQuery).data;
  const client = useQueryClient();
  const comeBack = useReturn('student');
  const login = usePartLater(() => import('./LoginForm.tsx'), useHasSessionEnded());
  if (!student) return <FirstLoad />;

  const logout = <LogoutButton portal="student" logOut={logOutStudent} title="Logged out successfully" />;
  return (
    <PortalLayout
      portal="student"
      header={
        <PortalHeader home={paths.studentDashboard()} logout={logout}>
          <nav className="cluster menu" aria-label="Student portal">
            {pagesOf('student').map(({ path, nav }) => nav && <NavLink key={path} to={path}>{nav.label}</NavLink>)}
          </nav>
        </PortalHeader>
      }
      logIn={login &&
        <login.LoginForm
          email={student.email}
          help={<p><a href={paths.forgotPassword} target="_blank" rel="noopener">Forgot password? (opens in a new tab)</a></p>}
          onLoggedIn={(again) => void comeBack(client, student, again)}
        />
      }
    >
      {/* Reset the state for another user. */}
      <Outlet key={student.id} context={student} />
      <StepUp owner={{ portal: 'student', username: student.email }} hasSecondFactor={student.hasSecondFactor} />
    </PortalLayout>
  );
}
