// The top of a portal's page: what it is, and what can be done there.
import type { ReactNode } from 'react';

type PageHeadProps = { eyebrow: string; title: string; actions?: ReactNode; children?: ReactNode };

export function PageHead({ eyebrow, title, actions, children }: PageHeadProps) {
  return (
    <header className="page-head">
      <div>
        <p className="eyebrow">{eyebrow}</p>
        <h1 dir="auto">{title}</h1>
        {children}
      </div>
      {actions && <div className="actions">{actions}</div>}
    </header>
  );
}
