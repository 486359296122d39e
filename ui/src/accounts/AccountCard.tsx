// The card of a page with one question or one answer, such as a password reset.
import { useEffect, useRef } from 'react';
import type { Elements } from '../components/elements.ts';
import { Rosette } from '../components/Rosette.tsx';
import { SiteIcon, type SiteIconName } from '../components/SiteIcon.tsx';
import './AccountCard.css';

type AccountCardProps = {
  icon: SiteIconName;
  kind?: 'plain' | 'success' | 'error';
  title: string;
  /** The card replaces another: its heading takes the focus. */
  takesFocus?: boolean;
  children: Elements;
};

const tones = { plain: '', success: 'tone-green', error: 'tone-red' };

export function AccountCard({ icon, kind = 'plain', title, takesFocus = false, children }: AccountCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);

  return (
    <div className="account-page engraved">
      <Rosette />
      <section className="card brass-edge account-card">
        <span className={`medallion ${tones[kind]}`}><SiteIcon name={icon} /></span>
        <h1 ref={heading} tabIndex={-1}>{title}</h1>
        {children}
      </section>
    </div>
  );
}
