// A segmented control: a few views of the same thing, one of them active.
import './Chips.css';

type ChoiceProps<Value> = {
  label: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
};

export function SegmentedControl<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <div className="choice screen-only" role="group" aria-label={label}>
      {options.map((option) => (
        <button key={option.value} type="button" aria-pressed={option.value === value} onClick={() => onChange(option.value)}>
          {option.label}
        </button>
      ))}
    </div>
  );
}
