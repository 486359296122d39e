// The field of a second factor: a passkey, the app's code, or a recovery code instead.
import { type InputHTMLAttributes, type Ref, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Field } from '../components/Field.tsx';
import { type GivenPasskey, knowsPasskeys, type PasskeyQuestion } from './passkey.ts';
import { PasskeyButton, type PasskeyUse } from './PasskeyButton.tsx';

type CodeFieldProps = {
  /** The field's id and error. */
  field: { id: string; error: string | undefined };
  input: InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> };
  /** Clears a code of the other kind. */
  onSwitch: () => void;
  /** Set if the account has passkeys. */
  passkey?: PasskeyUse | null;
};

export function CodeField({ field, input, onSwitch, passkey }: CodeFieldProps) {
  const hasApp = passkey?.hasApp ?? true;
  const [wantsRecovery, setWantsRecovery] = useState(false);
  const isRecovery = wantsRecovery || !hasApp;
  return (
    <>
      {passkey && knowsPasskeys() && <PasskeyButton id={`${field.id}-passkey`} ask={passkey.ask} onAnswer={passkey.onAnswer} />}
      {isRecovery ? (
        <Field {...field} label="Recovery Code" hint="One of the ten codes you saved. Each works once.">
          {(control) => <input {...control} {...input} type="text" autoComplete="off" spellCheck={false} autoCapitalize="none" />}
        </Field>
      ) : (
        <Field {...field} label="Code" hint="The six digits in your authenticator app.">
          {(control) => <input {...control} {...input} className="code-input" type="text" inputMode="numeric" autoComplete="one-time-code" spellCheck={false} />}
        </Field>
      )}
      {hasApp && (
        <p className="code-switch">
          <button
            type="button"
            onClick={() => {
              onSwitch();
              // Focus the other field once it is rendered.
              flushSync(() => setWantsRecovery(!isRecovery));
              document.getElementById(field.id)?.focus();
            }}
          >
            {isRecovery ? 'Use the app’s code instead' : 'Use a recovery code instead'}
          </button>
        </p>
      )}
    </>
  );
}

type CodeStepProps = Pick<CodeFieldProps, 'field' | 'input'> & {
  /** The challenge for the account's passkeys; null without passkeys. */
  question: PasskeyQuestion | null;
  onAnswer: (passkey: GivenPasskey) => void;
  /** Clears a code of another kind or of an earlier login. */
  onForget: () => void;
  onBack: () => void;
};

/** The second step of a login, after the right password of an account that has a second factor. */
export function CodeStep({ field, input, question, onAnswer, onForget, onBack }: CodeStepProps) {
  const { id } = field;
  const passkey = question && { ask: () => Promise.resolve(question), onAnswer, hasApp: question.hasApp };
  const goBack = () => {
    onForget();
    onBack();
  };
  useEffect(() => (document.getElementById(`${id}-passkey`) ?? document.getElementById(id))?.focus(), [id]);
  return (
    <>
      <p role="status">Your password is correct. This account also needs a second factor.</p>
      <CodeField field={field} input={input} onSwitch={onForget} passkey={passkey} />
      <p className="code-switch"><button type="button" onClick={goBack}>Back to the password</button></p>
    </>
  );
}
