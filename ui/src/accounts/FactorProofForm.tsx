// The form that every change of a second factor needs: the password with a code, or a passkey.
import { useMutation, type UseMutationOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { CodeField } from './CodeField.tsx';
import type { GivenPasskey } from './passkey.ts';
import type { PasskeyUse } from './PasskeyButton.tsx';
import { PasswordInput } from './PasswordInput.tsx';
import { noProof, oneOfBoth, proofBody, proofFields } from './proof.ts';

const schema = z
  .object({ ...proofFields, current: z.string().check(z.minLength(1, 'Current password is required')) })
  .check(oneOfBoth);

type Proof = { code?: string; passkey?: GivenPasskey; current: string };

type FactorProofFormProps<Data> = {
  /** The account's username or email, for password managers. */
  username: string;
  change: UseMutationOptions<Data, Error, Proof>;
  /** The first code of a new app: a recovery code does not count. */
  isFirst?: boolean;
  /** Set if the account has passkeys. */
  passkey?: Omit<PasskeyUse, 'onAnswer'> | null;
  submitLabel: string;
  pendingLabel: string;
  onDone: (data: Data) => Promise<void> | void;
  /** In a dialog. */
  onCancel?: () => void;
};

export function FactorProofForm<Data>(props: FactorProofFormProps<Data>) {
  const { username, change, isFirst = false, passkey, submitLabel, pendingLabel, onDone, onCancel } = props;
  const changing = useMutation(change);
  const { form, register, field, failure, isPending, summary, submit } = useServerForm({
    schema,
    values: { ...noProof, current: '' },
    fields: ['code', 'current'],
    idPrefix: 'factor',
    send: async ({ current, ...proof }) => {
      form.resetField('passkey');
      onDone(await changing.mutateAsync({ current, ...proofBody(proof) }));
    },
  });
  const onAnswer = (given: GivenPasskey) => {
    form.setValue('passkey', given);
    submit();
  };

  return (
    <Form
      isPending={isPending}
      summary={summary}
      error={failure && failureWords(failure, 'That did not work. Please try again in a moment.')}
      submitLabel={submitLabel}
      pendingLabel={pendingLabel}
      onSubmit={submit}
      {...(onCancel && { onCancel })}
    >
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      {isFirst ? (
        <Field {...field('code')} label="Code" hint="The six digits that the app shows for this account.">
          {(control) => <input {...control} {...register('code')} className="code-input" type="text" inputMode="numeric" autoComplete="one-time-code" spellCheck={false} />}
        </Field>
      ) : (
        <CodeField
          field={field('code')}
          input={register('code')}
          onSwitch={() => form.resetField('code')}
          passkey={passkey ? { ...passkey, onAnswer } : null}
        />
      )}
      <Field {...field('current')} label="Your Password">
        {(control) => <PasswordInput {...control} {...register('current')} autoComplete="current-password" />}
      </Field>
    </Form>
  );
}
