// The header of a portal: the school, the navigation and the logout button.
import { Link } from 'react-router';
import { Crest } from '../components/Crest.tsx';
import type { Elements } from '../components/elements.ts';
import { useSchool } from '../school/queries.ts';
import './PortalHeader.css';

type PortalHeaderProps = { home: string; menu?: Elements; logout: Elements; children?: Elements };

export function PortalHeader({ home, menu, logout, children }: PortalHeaderProps) {
  const school = useSchool();
  return (
    <header className="portal-header screen-only navy">
      <div className="wrap row">
        {menu}
        <Link className="brand" to={home}>
          <Crest />
          <span className="brand-name">{school.name}</span>
        </Link>
        {children}
        {logout}
      </div>
    </header>
  );
}
