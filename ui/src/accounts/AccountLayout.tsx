// Layout of the login and password pages inside the public frame: notifications and styles.
import { Outlet } from 'react-router';
import { NoIndex } from '../components/NoIndex.tsx';
import { Toaster } from '../components/Toaster.tsx';
import './account.css';

export function AccountLayout() {
  return (
    <>
      <NoIndex />
      <Outlet />
      <Toaster />
    </>
  );
}
