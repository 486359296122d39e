// A second factor: a passkey where there is one, what the app shows, or in its place a recovery code.
import { type InputHTMLAttributes, type Ref, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Field } from '../components/Field.tsx';
import { type GivenPasskey, knowsPasskeys, type PasskeyQuestion } from './passkey.ts';
import { PasskeyButton, type PasskeyUse } from './PasskeyButton.tsx';

type CodeFieldProps = {
  /** Of the form: its id and its message. */
  field: { id: string; error: string | undefined };
  input: InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> };
  /** What was typed is no code of the other kind. */
  onSwitch: () => void;
  /** Of an account that has passkeys. */
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
              // The other field takes the focus once it is there.
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
  /** What to ask the account's passkeys; null where it has none. */
  question: PasskeyQuestion | null;
  onAnswer: (passkey: GivenPasskey) => void;
  /** What was typed is no code of another kind, and none of a later login. */
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
