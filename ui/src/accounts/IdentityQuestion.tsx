// The dialog that asks for the second factor or, without one, the password.
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { settleIdentity } from './askIdentity.ts';
import { CodeField } from './CodeField.tsx';
import type { GivenPasskey } from './passkey.ts';
import { PasswordInput } from './PasswordInput.tsx';
import { noProof, oneOfBoth, proofBody, proofFields } from './proof.ts';
import { type FactorOwner, factors } from './secondFactor.ts';

const byPassword = z.object({ ...proofFields, current: z.string().check(z.minLength(1, 'Your password is required')) });
const byFactor = z.object({ ...proofFields, current: z.string() }).check(oneOfBoth);

export type IdentityQuestionProps = { owner: FactorOwner; hasSecondFactor: boolean };

export function IdentityQuestion({ owner: { portal, username }, hasSecondFactor }: IdentityQuestionProps) {
  const proving = useMutation(factors[portal].prove);
  const asked = hasSecondFactor ? 'code' : 'current';
  const { form, register, field, failure, isPending, summary, submit } = useServerForm({
    schema: hasSecondFactor ? byFactor : byPassword,
    values: { current: '', ...noProof },
    fields: [asked],
    idPrefix: 'proof',
    send: async ({ current, ...proof }) => {
      form.resetField('passkey');
      await proving.mutateAsync(hasSecondFactor ? proofBody(proof) : { current });
      settleIdentity(true);
    },
  });
  const { setFocus, setValue } = form;
  useEffect(() => setFocus(asked), [asked, setFocus]);
  const factor = useQuery({ ...factors[portal].query, enabled: hasSecondFactor });
  const hasPasskeys = (factor.data?.passkeys.length ?? 0) > 0;
  const onAnswer = (passkey: GivenPasskey) => {
    setValue('passkey', passkey);
    submit();
  };

  return (
    <Dialog title="Confirm It’s You" onClose={() => settleIdentity(false)}>
      <p>{`${hasSecondFactor ? 'Use your second factor' : 'Enter your password'} again, in case this browser was left open. We won’t ask again for ten minutes.`}</p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'That did not work. Please try again in a moment.')}
        submitLabel="Confirm"
        pendingLabel="Confirming..."
        onSubmit={submit}
        onCancel={() => settleIdentity(false)}
      >
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        {hasSecondFactor ? (
          <CodeField
            field={field('code')}
            input={register('code')}
            onSwitch={() => form.resetField('code')}
            passkey={hasPasskeys ? { ask: factors[portal].askPasskey, onAnswer, hasApp: Boolean(factor.data?.since) } : null}
          />
        ) : (
          <Field {...field('current')} label="Your Password">
            {(control) => <PasswordInput {...control} {...register('current')} autoComplete="current-password" />}
          </Field>
        )}
      </Form>
    </Dialog>
  );
}
