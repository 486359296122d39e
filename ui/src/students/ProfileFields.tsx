// The profile form, rendered from the table of fields. On a phone its sections fold: nineteen fields are five screens.
import { useState } from 'react';
import type { UseFormRegister } from 'react-hook-form';
import { PasswordInput } from '../accounts/PasswordInput.tsx';
import type { Student } from '../api-types.ts';
import type { Elements } from '../components/elements.ts';
import { type ControlProps, Field } from '../components/Field.tsx';
import { useMedia } from '../components/useMedia.ts';
import { today } from '../dates.ts';
import { isCanada } from '../school/country.ts';
import { type ProfileField, type ProfileName, profileParts, profileValues, type ProfileValues } from './profile.ts';

type ProfileFieldsProps = {
  register: UseFormRegister<ProfileValues>;
  field: (name: ProfileName) => { id: string; error: string | undefined };
  student: Student;
  /** Set if the email was changed, which requires the password. */
  isMoving: boolean;
  /** Set for the office, which changes the email elsewhere, with a reason. */
  isOffice?: boolean;
  /** Determines the province and postal code fields. */
  country: string;
  onMove: () => void;
};

type Named = ProfileField & { name: ProfileName };

export function ProfileFields({ isMoving, isOffice = false, ...wiring }: ProfileFieldsProps) {
  const isWide = useMedia('(width > 40rem)');
  const values = profileValues(wiring.student);
  const isAsked = ({ name }: Named) => (name !== 'currentPassword' || isMoving) && (name !== 'email' || !isOffice);
  return profileParts.map(({ legend, fields }, at) => {
    const asked = fields.filter(isAsked);
    const entries = rowsOf(asked).map((row) => {
      const drawn = row.map((each) => <Entry key={each.name} {...wiring} entry={each} />);
      return row.length > 1 ? <div className="grid field-pair" key={row[0]?.name}>{drawn}</div> : drawn;
    });
    if (isWide) return <fieldset key={legend}><legend>{legend}</legend>{entries}</fieldset>;
    const hasError = asked.some(({ name }) => wiring.field(name).error);
    const isIncomplete = asked.some(({ name, isOptional }) => !isOptional && name !== 'currentPassword' && !values[name]);
    return <FoldedPart key={legend} legend={legend} startsOpen={at === 0 || isIncomplete} hasError={hasError}>{entries}</FoldedPart>;
  });
}

type FoldedPartProps = { legend: string; startsOpen: boolean; hasError: boolean; children: Elements };

/** A section of the form under its heading; open if something in it is missing or has an error. */
function FoldedPart({ legend, startsOpen, hasError, children }: FoldedPartProps) {
  const [isOpen, setIsOpen] = useState(startsOpen);
  return (
    <details className="fold" open={isOpen || hasError} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{legend}</summary>
      <fieldset aria-label={legend}>{children}</fieldset>
    </details>
  );
}

/** Fields grouped side by side. */
function rowsOf(fields: Named[]): Named[][] {
  const rows: Named[][] = [];
  for (const field of fields) {
    if (field.isBeside) rows.at(-1)?.push(field);
    else rows.push([field]);
  }
  return rows;
}

type EntryProps = Omit<ProfileFieldsProps, 'isMoving' | 'isOffice'> & { entry: Named };

function Entry({ entry, register, field, student, country, onMove }: EntryProps) {
  const { name, input, isOptional, abroad } = entry;
  const isAbroad = abroad && !isCanada(country);
  const label = isAbroad ? abroad : `${entry.label}${isOptional ? ' (optional)' : ''}`;
  if (input?.type === 'checkbox') {
    return (
      <label className="tick">
        <input type="checkbox" {...register(name)} id={field(name).id} />
        <span>{label}</span>
      </label>
    );
  }
  const hint = name === 'email' && student.pendingEmail
    ? `Waiting for confirmation; until then ${student.email} stays in use.`
    : entry.hint;
  return (
    <Field {...field(name)} label={label} {...(hint && { hint })}>
      {(control) => (
        <Control
          choices={isAbroad ? undefined : entry.choices}
          input={input}
          control={{ ...control, ...register(name, name === 'country' ? { onChange: onMove } : {}) }}
        />
      )}
    </Field>
  );
}

type ControlOwn = Pick<ProfileField, 'choices' | 'input'> & { control: ControlProps & ReturnType<UseFormRegister<ProfileValues>> };

function Control({ choices, input, control }: ControlOwn) {
  if (input?.type === 'password') return <PasswordInput {...control} autoComplete="current-password" />;
  if (choices) {
    return (
      <select autoComplete={input?.autoComplete} {...control}>
        <option value="">Select...</option>
        {choices.map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
      </select>
    );
  }
  // All profile dates are in the past.
  return <input type="text" {...input} {...(input?.type === 'date' && { max: today() })} {...control} />;
}
