// The fields of the profile form, in the order they are asked for.
import type { InputHTMLAttributes, SelectHTMLAttributes } from 'react';
import type { UseFormRegister } from 'react-hook-form';
import type { Student } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { PasswordInput } from '../components/PasswordInput.tsx';
import { today } from '../dates.ts';
import { canadianStatuses, countries, genders, isCanada, type ProfileValues, provinces } from './profile.ts';

type Wiring = {
  register: UseFormRegister<ProfileValues>;
  field: (name: keyof ProfileValues) => { id: string; error: string | undefined };
};

type ProfileFieldsProps = Wiring & {
  student: Student;
  /** Another address was typed: the password is asked for. */
  isMoving: boolean;
  /** Decides about province and postal code. */
  country: string;
  onMove: () => void;
};

export function ProfileFields({ student, isMoving, country, onMove, ...wiring }: ProfileFieldsProps) {
  const emailHint = student.pendingEmail
    ? `Waits for its confirmation; until then ${student.email} stays in use.`
    : 'A new address counts once you have opened the link that we send to it.';
  return (
    <>
      <fieldset>
        <legend>About you</legend>
        <Text {...wiring} name="fullName" label="Full name" autoComplete="name" dir="auto" />
        <div className="field-pair">
          <Text {...wiring} name="dateOfBirth" label="Date of birth" type="date" autoComplete="bday" max={today()} />
          <Choice {...wiring} name="gender" label="Gender" autoComplete="sex" options={genders} />
        </div>
        <Choice {...wiring} name="canadianStatus" label="Canadian status" options={canadianStatuses} />
      </fieldset>
      <fieldset>
        <legend>Contact</legend>
        <Text {...wiring} name="email" label="Email" type="email" hint={emailHint} autoComplete="email" spellCheck={false} />
        {isMoving && (
          <Field {...wiring.field('currentPassword')} label="Current password" hint="Needed to change your email address.">
            {(control) => <PasswordInput {...control} {...wiring.register('currentPassword')} autoComplete="current-password" />}
          </Field>
        )}
        <Text {...wiring} name="phoneNumber" label="Phone number" type="tel" autoComplete="tel" />
        <Choice {...wiring} name="country" label="Country" autoComplete="country" options={countries} onPick={onMove} />
        <Text {...wiring} name="address" label="Address" autoComplete="address-line1" dir="auto" />
        <div className="field-pair">
          <Text {...wiring} name="city" label="City" autoComplete="address-level2" dir="auto" />
          {isCanada(country) ? (
            <Choice {...wiring} name="province" label="Province" autoComplete="address-level1" options={provinces} />
          ) : (
            <Text {...wiring} name="province" label="State or province (optional)" autoComplete="address-level1" dir="auto" />
          )}
          <Text
            {...wiring}
            name="postalCode"
            label={isCanada(country) ? 'Postal code' : 'Postal code (optional)'}
            autoComplete="postal-code"
            spellCheck={false}
          />
        </div>
      </fieldset>
      <fieldset>
        <legend>Parent or guardian</legend>
        <div className="field-pair">
          <Text {...wiring} name="parentName" label="Parent name (optional)" autoComplete="off" dir="auto" />
          <Text {...wiring} name="parentContact" label="Parent contact (optional)" autoComplete="off" />
        </div>
      </fieldset>
      <fieldset>
        <legend>Previous school</legend>
        <div className="field-pair">
          <Text {...wiring} name="lastSchool" label="Last school (optional)" autoComplete="off" dir="auto" />
          <Text {...wiring} name="lastGradeCompleted" label="Last grade completed (optional)" autoComplete="off" />
        </div>
        <label className="tick">
          <input type="checkbox" {...wiring.register('transferringCredits')} id={wiring.field('transferringCredits').id} />
          I am transferring credits from another school (optional)
        </label>
      </fieldset>
    </>
  );
}

type TextProps = Wiring & { name: keyof ProfileValues; label: string; hint?: string } & InputHTMLAttributes<HTMLInputElement>;

function Text({ register, field, name, label, hint, type = 'text', ...input }: TextProps) {
  return (
    <Field {...field(name)} label={label} {...(hint && { hint })}>
      {(control) => <input type={type} {...input} {...control} {...register(name)} />}
    </Field>
  );
}

type ChoiceProps = Wiring & {
  name: keyof ProfileValues;
  label: string;
  options: readonly { value: string; label: string }[];
  onPick?: () => void;
} & SelectHTMLAttributes<HTMLSelectElement>;

function Choice({ register, field, name, label, options, onPick, ...select }: ChoiceProps) {
  return (
    <Field {...field(name)} label={label}>
      {(control) => (
        <select {...select} {...control} {...register(name, onPick && { onChange: onPick })}>
          <option value="">Select...</option>
          {options.map((option) => <option key={option.value} value={option.value}>{option.label}</option>)}
        </select>
      )}
    </Field>
  );
}
