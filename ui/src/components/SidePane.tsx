// A pane beside a list, with the opened item.
import type { Ref } from 'react';
import { Icon } from './Icon.tsx';
import type { Elements } from './elements.ts';
import './SidePane.css';

type SidePaneProps = {
  eyebrow: string;
  title: string;
  heading: Ref<HTMLHeadingElement>;
  onClose: () => void;
  children: Elements;
};

export function SidePane({ eyebrow, title, heading, onClose, children }: SidePaneProps) {
  return (
    <article className="card brass-edge side-pane" aria-labelledby="side-pane">
      <button type="button" className="button pane-close" onClick={onClose}>
        <Icon name="arrow" /><Icon name="close" /> <span>Back to the List</span>
      </button>
      <p className="eyebrow">{eyebrow}</p>
      <h2 id="side-pane" ref={heading} tabIndex={-1} dir="auto">{title}</h2>
      {children}
    </article>
  );
}
