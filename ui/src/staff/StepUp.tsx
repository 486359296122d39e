// "Please confirm it is you": before what a stranger at an open browser must not do. What waits for it goes on
// by itself.
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import * as z from 'zod/mini';
import { failureWords, wire } from '../api.ts';
import type { User } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { PasswordInput } from '../components/PasswordInput.tsx';
import { useServerForm } from '../components/useServerForm.ts';
import { askIdentity, proveIdentity, settleIdentity, useIsAsked } from './identity.ts';
import { CodeField } from './CodeField.tsx';

export function StepUp({ user }: { user: User }) {
  const isAsked = useIsAsked();
  useEffect(() => {
    const { request } = wire;
    wire.request = async <T,>(...asked: Parameters<typeof request>) => {
      try {
        return await request<T>(...asked);
      } catch (refusal) {
        if (await askIdentity(refusal)) return request<T>(...asked);
        throw refusal;
      }
    };
    return () => {
      wire.request = request;
      settleIdentity(false);
    };
  }, []);
  return isAsked && <Question user={user} />;
}

const byPassword = z.object({
  current: z.string().check(z.minLength(1, 'Your password is required')),
  code: z.string(),
});
const byCode = z.object({
  current: z.string(),
  code: z.string().check(z.trim(), z.minLength(1, 'Code is required')),
});

function Question({ user: { username, hasSecondFactor } }: { user: User }) {
  const proving = useMutation(proveIdentity);
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
