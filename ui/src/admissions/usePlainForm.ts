// A form whose fields the browser keeps and the server checks: its errors land on the fields, and what was typed stays.
import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../api.ts';
import { useAction } from '../components/useAction.ts';

/** In the order of the fields. */
function sorted(errors: Readonly<Record<string, string>>, names: readonly string[]): Record<string, string> {
  const place = (name: string) => names.indexOf(name);
  return Object.fromEntries(Object.entries(errors).toSorted(([one], [other]) => place(one) - place(other)));
}

export function usePlainForm(idPrefix: string, send: (typed: FormData) => Promise<unknown>) {
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  /** Sent, while the next page is under way. */
  const isSent = useRef(false);
  const order = useRef<string[]>([]);
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<Error | null>(null);
  const [isDirty, setIsDirty] = useState(false);
  const sending = useAction<unknown, FormData>({
    mutationFn: send,
    onSuccess: () => void (isSent.current = true),
    onError: (error) => {
      const fields = error instanceof ApiError ? error.fields : {};
      setErrors(sorted(fields, order.current));
      if (Object.keys(fields).length > 0) setAttempt((count) => count + 1);
      else setFailure(error);
    },
  });

  return {
    failure,
    isDirty,
    isPending: sending.isPending,
    field: (name: string) => ({ id: `${idPrefix}-${name}`, error: errors[name] }),
    summary: { attempt, errors: Object.entries(errors).map(([name, message]) => ({ id: `${idPrefix}-${name}`, message })) },
    submit: (event: FormEvent<HTMLFormElement>) => {
      if (isSent.current) return;
      setFailure(null);
      setErrors({});
      order.current = [...event.currentTarget.elements].map((field) => (field as HTMLInputElement).name);
      sending.run(new FormData(event.currentTarget));
    },
    /** For `onInput` around the fields: an error leaves with the first correction. */
    correct: ({ target }: FormEvent) => {
      setIsDirty(true);
      const { name } = target as HTMLInputElement;
      if (errors[name]) setErrors(Object.fromEntries(Object.entries(errors).filter(([each]) => each !== name)));
    },
  };
}
