// A search field with local state; the screen decides when to search.
import type { Ref } from 'react';
import { SiteIcon } from './SiteIcon.tsx';
import './SearchBox.css';

type SearchBoxProps = {
  label: string;
  /** The field's name in a form that works without scripts. */
  name?: string;
  value: string;
  onChange: (text: string) => void;
  ref?: Ref<HTMLInputElement>;
};

export function SearchBox({ label, name, value, onChange, ref }: SearchBoxProps) {
  return (
    <div className="filter screen-only">
      <SiteIcon name="search" />
      <input
        ref={ref}
        type="search"
        name={name}
        aria-label={label.replace(/\.+$/, '')}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
