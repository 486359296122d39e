// The fields of a new password: strength hint and confirmation.
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '../components/Field.tsx';
import { useSchool } from '../school/queries.ts';
import { PasswordInput } from './PasswordInput.tsx';
import { PasswordStrength } from './PasswordStrength.tsx';

type NewPasswordsProps = {
  label?: string;
  field: (name: 'password' | 'confirmPassword') => { id: string; error: string | undefined };
  /** Registered with the confirmation as a dependency, so that correcting either revalidates both. */
  password: UseFormRegisterReturn;
  confirmPassword: UseFormRegisterReturn;
  /** Current value. */
  typed: string;
  /** Email and username, if known. */
  own?: string[];
};

export function NewPasswords(props: NewPasswordsProps) {
  const { label = 'Password', field, password, confirmPassword, typed, own = [] } = props;
  const { name } = useSchool();
  const strengthId = `${field('password').id}-strength`;
  return (
    <>
      <Field {...field('password')} label={label} hint="At least 8 characters.">
        {(control) => (
          <>
            <PasswordInput
              {...control}
              {...password}
              autoComplete="new-password"
              aria-describedby={`${control['aria-describedby']} ${strengthId}`}
            />
            <PasswordStrength id={strengthId} password={typed} own={[name, ...own]} />
          </>
        )}
      </Field>
      <Field {...field('confirmPassword')} label={`Confirm ${label}`}>
        {(control) => <PasswordInput {...control} {...confirmPassword} autoComplete="new-password" />}
      </Field>
    </>
  );
}
