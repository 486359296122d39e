// A boxed message inside a page: what happened and what to do about it.
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';

type NoticeProps = { kind: 'error' | 'success' | 'plain'; title?: string; children: ReactNode };

export function Notice({ kind, title, children }: NoticeProps) {
  const icon = kind === 'success' ? 'check' : 'alert';
  return (
    <div className={`notice notice-${kind}`} role={kind === 'error' ? 'alert' : undefined}>
      <Icon name={icon} />
      <div>
        {title && <p className="notice-title">{title}</p>}
        {children}
      </div>
    </div>
  );
}
