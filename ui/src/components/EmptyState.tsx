// The empty state of a list: says why, and what to do.
import { Icon, type IconName } from './Icon.tsx';
import type { Elements } from './elements.ts';
import './EmptyState.css';

export function EmptyState({ icon, title, children }: { icon: IconName; title: string; children?: Elements }) {
  return (
    <div className="empty centred">
      <Icon name={icon} />
      <h3>{title}</h3>
      {children}
    </div>
  );
}
