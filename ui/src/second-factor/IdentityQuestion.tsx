// The question who sits there: a code of the second factor where there is one, else the password.
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { PasswordInput } from '../components/PasswordInput.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { CodeField } from './CodeField.tsx';
import { settleIdentity } from './identity.ts';
import { type FactorOwner, factors } from './secondFactor.ts';

const byPassword = z.object({
  current: z.string().check(z.minLength(1, 'Your password is required')),
  code: z.string(),
});
const byCode = z.object({
  current: z.string(),
  code: z.string().check(z.trim(), z.minLength(1, 'Code is required')),
});

export type IdentityQuestionProps = { owner: FactorOwner; hasSecondFactor: boolean };

export function IdentityQuestion({ owner: { portal, username }, hasSecondFactor }: IdentityQuestionProps) {
  const proving = useMutation(factors[portal].prove);
  const asked = hasSecondFactor ? 'code' : 'current';
  const { form, register, field, failure, isPending, summary, submit } = useServerForm({
    schema: hasSecondFactor ? byCode : byPassword,
    values: { current: '', code: '' },
    fields: [asked],
    idPrefix: 'proof',
    send: async (typed) => {
      await proving.mutateAsync({ [asked]: typed[asked] });
      settleIdentity(true);
    },
  });
  const { setFocus } = form;
  useEffect(() => setFocus(asked), [asked, setFocus]);

  return (
    <Dialog title="Please Confirm It Is You" onClose={() => settleIdentity(false)}>
      <p>{hasSecondFactor ? 'This takes a code' : 'This takes your password'} once more, since anybody could sit at an open browser. Then it goes on by itself; for ten minutes you are not asked again.</p>
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
          <CodeField field={field('code')} input={register('code')} onSwitch={() => form.resetField('code')} />
        ) : (
          <Field {...field('current')} label="Your Password">
            {(control) => <PasswordInput {...control} {...register('current')} autoComplete="current-password" />}
          </Field>
        )}
      </Form>
    </Dialog>
  );
}
