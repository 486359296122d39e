// A dialog that is a form: it asks before unsaved changes are lost, and stays open while they are sent.
import type { ReactElement } from 'react';
import type { DefaultValues, FieldPath, FieldValues } from 'react-hook-form';
import type * as z from 'zod/mini';
import { failureWords } from '../api.ts';
import { Dialog } from './Dialog.tsx';
import { Form } from './Form.tsx';
import type { Elements } from './elements.ts';
import { showToast } from './toasts.ts';
import { useServerForm } from './useServerForm.ts';
import { useUnsavedChanges } from './useUnsavedChanges.tsx';

export type ServerForm<Values extends FieldValues> = ReturnType<typeof useServerForm<Values>>;

type FormDialogProps<Values extends FieldValues> = {
  title: string;
  isWide?: boolean;
  /** Above the form. */
  intro?: Elements;
  schema: z.ZodMiniType<Values, Values>;
  values: DefaultValues<NoInfer<Values>>;
  fields: readonly FieldPath<NoInfer<Values>>[];
  idPrefix: string;
  /** Follows from what is typed, or is always the same. */
  submitLabel: string | ((form: ServerForm<NoInfer<Values>>) => string);
  pendingLabel?: string;
  /** False: the × alone closes it. */
  hasCancel?: boolean;
  /** What a failure is called if the server does not say it, or by what rule. */
  failed: string | ((error: Error) => ReactElement | string);
  /** Title of the toast that announces a failure as well. */
  failureTitle?: string;
  onFailure?: (error: Error, form: ServerForm<NoInfer<Values>>) => void;
  send: (values: NoInfer<Values>, form: ServerForm<NoInfer<Values>>) => Promise<unknown>;
  onClose: () => void;
  children: (form: ServerForm<NoInfer<Values>>) => Elements;
};

export function FormDialog<Values extends FieldValues>(props: FormDialogProps<Values>) {
  const { title, isWide = false, intro, schema, values, fields, idPrefix, submitLabel, pendingLabel = 'Saving...', hasCancel = true, failed, failureTitle, onClose } = props;
  const words = (error: Error) => (typeof failed === 'string' ? failureWords(error, failed) : failed(error));
  const form: ServerForm<Values> = useServerForm<Values>({
    schema,
    values,
    fields,
    idPrefix,
    send: (checked) => props.send(checked, form),
    onFailure: (error) => {
      if (failureTitle) showToast(failureTitle, words(error), true);
      props.onFailure?.(error, form);
    },
  });
  const { failure, isPending } = form;
  const { leave, question } = useUnsavedChanges(form.isDirty && !isPending);
  // A request in flight cannot be cancelled.
  const close = () => !isPending && leave(onClose);
  return (
    <Dialog title={title} isWide={isWide} onClose={close}>
      {intro}
      <Form
        isPending={isPending}
        summary={form.summary}
        error={failure && words(failure)}
        isToasted={failureTitle !== undefined}
        submitLabel={typeof submitLabel === 'string' ? submitLabel : submitLabel(form)}
        pendingLabel={pendingLabel}
        onSubmit={form.submit}
        {...(hasCancel && { onCancel: close })}
      >
        {props.children(form)}
      </Form>
      {question}
    </Dialog>
  );
}
