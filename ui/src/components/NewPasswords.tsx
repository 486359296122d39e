// A new password and its repetition.
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from './Field.tsx';
import { PasswordInput } from './PasswordInput.tsx';

type NewPasswordsProps = {
  label?: string;
  field: (name: 'password' | 'confirmPassword') => { id: string; error: string | undefined };
  /** Registered with the repetition as a dependency, so that correcting either settles both. */
  password: UseFormRegisterReturn;
  confirmPassword: UseFormRegisterReturn;
};

export function NewPasswords({ label = 'Password', field, password, confirmPassword }: NewPasswordsProps) {
  return (
    <>
      <Field {...field('password')} label={label} hint="At least 8 characters.">
        {(control) => <PasswordInput {...control} {...password} autoComplete="new-password" />}
      </Field>
      <Field {...field('confirmPassword')} label={`Confirm ${label}`}>
        {(control) => <PasswordInput {...control} {...confirmPassword} autoComplete="new-password" />}
      </Field>
    </>
  );
}
