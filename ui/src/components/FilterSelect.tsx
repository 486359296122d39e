// A select that filters a list, beside its search field.

import './SearchBox.css';

type FilterSelectProps = {
  label: string;
  options: readonly { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
};

export function FilterSelect({ label, options, value, onChange }: FilterSelectProps) {
  return (
    <select className="filter-select" aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map((option) => <option key={option.value} value={option.value}>{option.label}</option>)}
    </select>
  );
}
