// A notice that can be folded to its title; this browser remembers it.
import { useState } from 'react';
import { SiteIcon } from './SiteIcon.tsx';
import { readLocal, writeLocal } from './local.ts';
import { Notice } from './Notice.tsx';
import type { Elements } from './elements.ts';

type FoldingNoticeProps = {
  /** Storage key. */
  name: string;
  title: string;
  children: Elements;
};

export function FoldingNotice({ name, title, children }: FoldingNoticeProps) {
  const key = `folded:${name}`;
  const [isFolded, setIsFolded] = useState(() => readLocal(key) !== null);
  function fold() {
    writeLocal(key, isFolded ? null : '1');
    setIsFolded(!isFolded);
  }
  const button = (
    <button type="button" className="icon-button" aria-expanded={!isFolded} aria-label={`Details of “${title}”`} onClick={fold}>
      <SiteIcon name="chevron" />
    </button>
  );
  return <Notice kind="plain" title={title} action={button}>{!isFolded && children}</Notice>;
}
