// The choice between two accounts' values of a field.
import { fieldLabel, valueText } from './fieldWords.ts';
import { type MergeChoices, type MergeField } from './merging.ts';
import './MergeChoice.css';

type MergeChoiceProps = {
  name: MergeField;
  mine: string | null;
  theirs: string | null;
  keep: MergeChoices;
  onKeep: (keep: MergeChoices) => void;
};

export function MergeChoice({ name, mine, theirs, keep, onKeep }: MergeChoiceProps) {
  const chosen = keep[name] ?? (mine === null ? 'other' : 'this');
  const sides = [['this', mine], ['other', theirs]] as const;
  return (
    <fieldset className="merge-choice">
      <legend className="sr-only">{fieldLabel(name)}</legend>
      <span aria-hidden="true">{fieldLabel(name)}</span>
      {sides.map(([side, value]) => (
        <label className="tick" key={side}>
          <input type="radio" name={`keep-${name}`} checked={chosen === side} onChange={() => onKeep({ ...keep, [name]: side })} />
          <bdi>{valueText(name, value)}</bdi>
        </label>
      ))}
    </fieldset>
  );
}
