// A form validated here first and by the server last. It keeps its input when sending fails, shows the server's
// messages at their fields, and sends one request at a time.
import { useEffect, useInsertionEffect, useRef, useState } from 'react';
import { type DefaultValues, type FieldPath, type FieldValues, useForm } from 'react-hook-form';
import type * as z from 'zod/mini';
import { ApiError, isSignedOut } from '../api.ts';
import { dismissToast } from './toasts.ts';

type ServerForm<Values extends FieldValues> = {
  schema: z.ZodMiniType<Values, Values>;
  values: DefaultValues<Values>;
  /** Field names in display order; a field's id is `{idPrefix}-{name}`. */
  fields: readonly FieldPath<Values>[];
  idPrefix: string;
  send: (values: Values) => Promise<unknown>;
  /** Called with every failure, for section 8's toast. */
  onFailure?: (error: Error) => void;
  /** A login form shows a 401 itself; elsewhere the login dialog does. */
  isLogin?: boolean;
};

export function useServerForm<Values extends FieldValues>(options: ServerForm<Values>) {
  const { schema, values, fields, idPrefix, send, onFailure, isLogin = false } = options;
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<Error | null>(null);
  const form = useForm<Values>({
    resolver: (values) => {
      const { data, error } = schema.safeParse(values);
      const errors: Record<PropertyKey, { type: string; message: string }> = {};
      for (const { code, path: [name = 'root'], message } of error?.issues ?? []) errors[name] ??= { type: code, message };
      return { values: data ?? {}, errors } as never;
    },
    defaultValues: values,
    shouldFocusError: false,
  });
  const { errors, isSubmitting, isDirty } = form.formState;
  // Input from before hydration, read at the last moment: React Hook Form then writes its own values into the fields.
  const typed = useRef<[FieldPath<Values>, string][]>([]);
  useInsertionEffect(() => {
    if (document.querySelector('#root[data-drawn]')) typed.current = fields.map((name) => [name, inputOf(`${idPrefix}-${name}`)?.value ?? '']);
  }, [fields, idPrefix]);
  useEffect(() => {
    for (const [name, value] of typed.current) if (value) form.setValue(name, value as never, { shouldDirty: true });
    typed.current = [];
  }, [form]);

  const reject = () => setAttempt((count) => count + 1);

  async function trySend(checked: Values) {
    try {
      await send(checked);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      if (isSignedOut(error) && !isLogin) return;
      const refused = error instanceof ApiError ? fields.filter((name) => error.fields[name]) : [];
      for (const name of refused) form.setError(name, { message: (error as ApiError).fields[name] });
      if (refused.length > 0) reject();
      else setFailure(error);
      onFailure?.(error);
    }
  }

  return {
    form,
    register: form.register,
    /** A field's id and error. */
    field: (name: FieldPath<Values>) => ({
      id: `${idPrefix}-${name}`,
      error: (errors as Record<string, { message?: string } | undefined>)[name]?.message,
    }),
    isPending: isSubmitting,
    isDirty,
    /** After a conflict: resets to the current values except for local input; fields changed on both sides say so. */
    takeOver: (now: Values) => {
      const before = form.formState.defaultValues as Partial<Values>;
      const both = fields.filter((name) => form.getFieldState(name).isDirty && ![before[name], form.getValues(name)].includes(now[name]));
      form.reset(now, { keepDirtyValues: true });
      for (const name of both) form.setError(name, { message: changedWords(now[name]) });
      if (both.length > 0) reject();
    },
    /** A failure that concerns no single field; null otherwise. */
    failure,
    summary: {
      attempt,
      errors: fields.flatMap((name) => {
        const message = (errors as Record<string, { message?: string } | undefined>)[name]?.message;
        return message ? [{ id: `${idPrefix}-${name}`, message }] : [];
      }),
    },
    submit: (event?: React.FormEvent) => {
      setFailure(null);
      // Clear earlier errors.
      dismissToast();
      for (const name of fields) {
        const input = inputOf(`${idPrefix}-${name}`);
        // Read values that a password manager filled in without an event.
        if (input instanceof HTMLInputElement && !/checkbox|radio|file/.test(input.type) && input.value !== form.getValues(name)) {
          form.setValue(name, input.value as never, { shouldDirty: true });
        }
      }
      void form.handleSubmit(trySend, reject)(event);
    },
  };
}

function inputOf(id: string) {
  return document.getElementById(id) as HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | null;
}

function changedWords(now: unknown): string {
  if (typeof now !== 'string') return 'This has been changed in the meantime';
  return now === '' ? 'This has been cleared in the meantime' : `This has been changed to “${now}” in the meantime`;
}
