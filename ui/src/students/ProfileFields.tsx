// The profile form, rendered from the table of fields.
import type { UseFormRegister } from 'react-hook-form';
import { PasswordInput } from '../accounts/PasswordInput.tsx';
import type { Student } from '../api-types.ts';
import { type ControlProps, Field } from '../components/Field.tsx';
import { today } from '../dates.ts';
import { isCanada } from '../school/countries.ts';
import { type ProfileField, type ProfileName, profileParts, type ProfileValues } from './profile.ts';

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
  const isAsked = ({ name }: Named) => (name !== 'currentPassword' || isMoving) && (name !== 'email' || !isOffice);
  return profileParts.map(({ legend, fields }) => (
    <fieldset key={legend}>
      <legend>{legend}</legend>
      {rowsOf(fields.filter(isAsked)).map((row) => {
        const drawn = row.map((each) => <Entry key={each.name} {...wiring} entry={each} />);
        return row.length > 1 ? <div className="grid field-pair" key={row[0]?.name}>{drawn}</div> : drawn;
      })}
    </fieldset>
  ));
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
