// A list with nothing in it: says why, and what to do.
import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import './EmptyState.css';

export function EmptyState({ icon, title, children }: { icon: IconName; title: string; children?: ReactNode }) {
  return (
    <div className="empty centred">
      <Icon name={icon} />
      <h3>{title}</h3>
      {children}
    </div>
  );
}
