// The band at the top of inner public pages: eyebrow, heading and lead.
import type { ReactNode } from 'react';
import type { Elements } from './elements.ts';
import './PageHeader.css';

type PageHeaderProps = { eyebrow?: string | Elements; title: string; children?: ReactNode };

export function PageHeader({ eyebrow, title, children }: PageHeaderProps) {
  return (
    <div className="page-header">
      <div className="wrap">
        {eyebrow && <p className="eyebrow">{eyebrow}</p>}
        <h1>{title}</h1>
        {children !== undefined && <p className="lead">{children}</p>}
      </div>
    </div>
  );
}
