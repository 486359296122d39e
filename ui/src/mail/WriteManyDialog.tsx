// The dialog of an email to many students: write, preview with the number of recipients, send.
import { useEffect, useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { failureWords, isSignedOut } from '../api.ts';
import type { EmailToManyPreview } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { EmailSample } from '../components/EmailSample.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { Notice } from '../components/Notice.tsx';
import { useAction } from '../components/useAction.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { type EmailWords, emailSchema } from './writing.ts';

type WriteManyDialogProps = {
  title: string;
  /** The recipients, as a sentence. */
  to: string;
  preview: (words: EmailWords) => Promise<EmailToManyPreview>;
  /** Sends it to the previewed number of recipients, and shows the result. */
  send: (words: EmailWords, recipients: number) => Promise<void>;
  onClose: () => void;
};

type Shown = { words: EmailWords; preview: EmailToManyPreview };

export function WriteManyDialog({ title, to, preview, send, onClose }: WriteManyDialogProps) {
  const [shown, setShown] = useState<Shown | null>(null);
  const previewing = useMutation({ mutationFn: preview });
  const form = useServerForm<EmailWords>({
    schema: emailSchema,
    values: { subject: '', body: '' },
    fields: ['subject', 'body'],
    idPrefix: 'write-many',
    send: async (words) => setShown({ words, preview: await previewing.mutateAsync(words) }),
  });
  const { register, field, failure, isDirty, isPending, summary, submit } = form;
  const { leave, question } = useUnsavedChanges(isDirty && !isPending);
  return (
    <Dialog title={title} isWide onClose={() => leave(onClose)}>
      {shown ? (
        <Sample shown={shown} send={send} onBack={() => setShown(null)} />
      ) : (
        <>
          <p>{`${to} Each student gets a separate email that begins with their name. Guardians of students under 18 get a copy. Replies go to the school.`}</p>
          <Form
            isPending={isPending}
            summary={summary}
            error={failure && failureWords(failure, 'The email could not be shown. Please try again.')}
            submitLabel="Preview"
            pendingLabel="Loading..."
            onSubmit={submit}
            onCancel={() => leave(onClose)}
          >
            <Field {...field('subject')} label="Subject">
              {(control) => <input {...control} {...register('subject')} type="text" autoComplete="off" maxLength={150} dir="auto" />}
            </Field>
            <Field {...field('body')} label="Message">
              {(control) => <textarea {...control} {...register('body')} rows={8} maxLength={10000} dir="auto" />}
            </Field>
          </Form>
        </>
      )}
      {question}
    </Dialog>
  );
}

type SampleProps = { shown: Shown; send: WriteManyDialogProps['send']; onBack: () => void };

function Sample({ shown: { words, preview: { recipients, leftOut, copies, sample } }, send, onBack }: SampleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => heading.current?.focus(), []);
  const sending = useAction({
    mutationFn: () => send(words, recipients),
    onMutate: () => setFailure(null),
    onError: (error) => !isSignedOut(error) && setFailure(failureWords(error, 'The email could not be sent. Please try again.')),
  });
  const who = recipients === 1 ? '1 student' : `${recipients} students`;
  return (
    <>
      <h3 ref={heading} tabIndex={-1}>{recipients === 0 ? 'No students get this email' : `${who} ${recipients === 1 ? 'gets' : 'get'} this email`}</h3>
      {leftOut > 0 && <p>{leftOut === 1 ? '1 account is closed and gets none.' : `${leftOut} accounts are closed and get none.`}</p>}
      {copies > 0 && <p>{copies === 1 ? '1 copy goes to a guardian of a student under 18.' : `${copies} copies go to guardians of students under 18.`}</p>}
      {sample && (
        <>
          <p>{recipients === 1 ? 'The email:' : 'The first student’s email:'}</p>
          <EmailSample email={sample} />
        </>
      )}
      {failure && <Notice kind="error"><p>{failure}</p></Notice>}
      <div className="cluster form-actions">
        <button type="button" className="button button-quiet" aria-disabled={sending.isPending} onClick={() => !sending.isPending && onBack()}>Change</button>
        {recipients > 0 && (
          <button type="button" className="button button-primary" aria-disabled={sending.isPending} onClick={() => sending.run()}>
            {sending.isPending ? 'Sending...' : `Send to ${who}`}
          </button>
        )}
      </div>
    </>
  );
}
