// Enters a request that came by phone, on paper or by an agent.
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { optionsOf } from '../closedSets.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Field } from '../components/Field.tsx';
import { Form } from '../components/Form.tsx';
import { skipQuestion, useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { officePaths } from '../officePaths.ts';
import { applicationBody } from './apply.ts';
import { ApplyFields } from './ApplyFields.tsx';
import { createRequest, decisionFailure } from './decisions.ts';
import { requestsKey } from './queries.ts';
import { sourceWords } from './requestWords.ts';
import { usePlainForm } from './usePlainForm.ts';

type NewRequestDialogProps = {
  /** What is known already, from a message. */
  begun?: Readonly<Record<string, string>>;
  /** The message that becomes an application. */
  messageId?: number;
  onClose: () => void;
};

export function NewRequestDialog({ begun, messageId, onClose }: NewRequestDialogProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { failure, isDirty, isPending, field, summary, submit, correct } = usePlainForm('request', async (typed) => {
    const { id } = await createRequest({ ...applicationBody(typed), consents: undefined, ...(messageId !== undefined && { messageId }) });
    void client.invalidateQueries({ queryKey: requestsKey });
    if (messageId !== undefined) void client.invalidateQueries({ queryKey: ['messages'] });
    void navigate(officePaths.request(id), { state: skipQuestion });
  });
  const { leave, question } = useUnsavedChanges(isDirty);
  const close = () => !isPending && leave(onClose);
  return (
    <Dialog title="New Request" isWide onClose={close}>
      <p>The family gets the same email as from the website, with a link to its application.</p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && decisionFailure(failure)}
        submitLabel="Save Request"
        pendingLabel="Saving..."
        onSubmit={submit}
        onCancel={close}
      >
        <div onInput={correct}>
          <Field {...field('source')} label="How did it come?">
            {(control) => (
              <select {...control} name="source" defaultValue={messageId === undefined ? 'phone' : 'web'}>
                {optionsOf(sourceWords).map(({ value, label }) => <option key={value} value={value}>{label}</option>)}
              </select>
            )}
          </Field>
          <ApplyFields field={field} {...(begun && { begun })} isOffice />
        </div>
      </Form>
      {question}
    </Dialog>
  );
}
