// A boxed message inside a page: what happened and what to do about it.
import { SiteIcon } from './SiteIcon.tsx';
import type { Elements } from './elements.ts';
import './Notice.css';

type NoticeProps = {
  /** At its end, as a button that folds it. */
  action?: Elements;
  kind: 'error' | 'success' | 'plain';
  title?: string;
  /** Not announced, because something else announces it already. */
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
