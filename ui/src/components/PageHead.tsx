// The top of a portal's page: what it is, and what can be done there.
import type { ReactNode, Ref } from 'react';
import './PageHead.css';

type PageHeadProps = { eyebrow: string; title: string; actions?: ReactNode; ref?: Ref<HTMLHeadingElement>; children?: ReactNode };

export function PageHead({ eyebrow, title, actions, ref, children }: PageHeadProps) {
  return (
    <header className="row page-head">
      <div>
        <p className="eyebrow">{eyebrow}</p>
        <h1 dir="auto" ref={ref} tabIndex={-1}>{title}</h1>
        {children}
      </div>
      {actions && <div className="cluster">{actions}</div>}
    </header>
  );
}
