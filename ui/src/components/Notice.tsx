// A boxed message: what happened and what to do about it.
import { SiteIcon } from './SiteIcon.tsx';
import type { Elements } from './elements.ts';
import './Notice.css';

type NoticeProps = {
  /** Content at its end, such as a fold button. */
  action?: Elements;
  kind: 'error' | 'success' | 'plain';
  title?: string;
  /** Set if something else announces it. */
  isQuiet?: boolean | undefined;
  children: Elements;
};

export function Notice({ kind, title, isQuiet = false, action, children }: NoticeProps) {
  const icon = kind === 'success' ? 'check' : 'alert';
  return (
    <div className={`notice notice-${kind}`} role={kind === 'error' && !isQuiet ? 'alert' : undefined}>
      <SiteIcon name={icon} />
      <div>
        {title && <p className="notice-title">{title}</p>}
        {children}
      </div>
      {action}
    </div>
  );
}
