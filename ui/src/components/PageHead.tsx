// The head of a portal page: eyebrow, title and actions.
import { type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import type { Elements } from './elements.ts';
import './PageHead.css';

type PageHeadProps = { eyebrow: string; title: string; actions?: Elements; ref?: Ref<HTMLHeadingElement>; children?: Elements };

/** Whether the unmounted heading had the focus: its replacement takes it. */
let isHandedOn = false;

export function PageHead({ eyebrow, title, actions, ref, children }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useImperativeHandle(ref, () => heading.current as HTMLHeadingElement);
  useLayoutEffect(() => {
    const own = heading.current;
    if (isHandedOn && document.activeElement === document.body) own?.focus({ preventScroll: true });
    return () => {
      isHandedOn = document.activeElement === own;
      queueMicrotask(() => (isHandedOn = false));
    };
  }, []);
  return (
    <header className="row page-head">
      <div>
        <p className="eyebrow">{eyebrow}</p>
        <h1 dir="auto" ref={heading} tabIndex={-1}>{title}</h1>
        {children}
      </div>
      {actions && <div className="cluster">{actions}</div>}
    </header>
  );
}
