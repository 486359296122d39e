// The application form: three steps on one page. A browser without scripts sends it by itself.
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError, failureWords, postJson } from '../api.ts';
import { Form } from '../components/Form.tsx';
import { paths } from '../paths.ts';
import { isTemplate } from '../template.tsx';
import { applicationBody, dropDraft, keepDraft, restoreDraft } from './apply.ts';
import { ApplyFields } from './ApplyFields.tsx';
import { usePlainForm } from './usePlainForm.ts';

export function ApplyForm() {
  const navigate = useNavigate();
  const box = useRef<HTMLDivElement>(null);
  /** The birth date of the form that was refused: a strange one is asked about once. */
  const asked = useRef('');
  // When the server drew the page; a browser without scripts sends it back.
  const [opened] = useState(() => (isTemplate ? '{{ opened }}' : (document.querySelector<HTMLInputElement>('input[name=opened]')?.value ?? '')));
  const { failure, isPending, field, summary, submit, correct } = usePlainForm('apply', async (typed) => {
    try {
      const { reference } = await postJson('/api/applications', { ...applicationBody(typed), askedBirthDate: asked.current } as never);
      dropDraft();
      void navigate(paths.applied(reference), { replace: true });
    } catch (error) {
      if (error instanceof ApiError && error.status === 400) asked.current = String(typed.get('dateOfBirth'));
      throw error;
    }
  });
  // Before it is painted: nothing seen is filled in afterwards.
  useLayoutEffect(() => {
    const form = box.current?.closest('form');
    if (form) restoreDraft(form);
  }, []);

  function hear(event: FormEvent<HTMLElement>) {
    correct(event);
    const form = event.currentTarget.closest('form');
    if (form) keepDraft(form);
  }

  return (
    <>
      <h2 id="application-title">Application for a Place</h2>
      <p className="fine-print">About five minutes. What you type stays in this tab until you send it.</p>
      <Form
        isPlain
        isPending={isPending}
        summary={summary}
        error={failure && failureWords(failure, 'The application was not sent. Please try again in a moment: everything you typed is still here.')}
        submitLabel="Send Application"
        pendingLabel="Sending..."
        onSubmit={submit}
      >
        {/* Only listens to the fields inside. */}
        <div ref={box} onInput={hear}>
          <input type="hidden" name="opened" defaultValue={opened} />
          <input type="hidden" name="askedBirthDate" />
          {/* Left empty by people; programs that fill in every field fill it in. */}
          <div className="sr-only" aria-hidden="true">
            <label htmlFor="apply-website">Leave this field empty</label>
            <input id="apply-website" name="website" type="text" tabIndex={-1} autoComplete="off" />
          </div>
          <ApplyFields field={field} />
        </div>
      </Form>
    </>
  );
}
