// Edit Profile (section 2): every profile field, with section 5's messages. Starts from the stored profile and sends
// only changes, so that the office's corrections are kept.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { studentQuery } from '../accounts/signedIn.ts';
import { ApiError, failureWords } from '../api.ts';
import type { Student } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Form } from '../components/Form.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { changedFacts, isNewAddress, profileFields, profileSchemaOf, type ProfileValues, profileValues } from './profile.ts';
import { ProfileFields } from './ProfileFields.tsx';
import { updateProfile } from './queries.ts';

type ProfileDialogProps = { student: Student; onClose: () => void; onSaved: () => void };

export function ProfileDialog({ student: shown, onClose, onSaved }: ProfileDialogProps) {
  const client = useQueryClient();
  const [student, setStudent] = useState(shown);
  const updating = useMutation(updateProfile);
  const { form, register, field, failure, isDirty, isPending, summary, submit, takeOver } = useServerForm({
    schema: profileSchemaOf(student),
    values: profileValues(student),
    fields: profileFields,
    idPrefix: 'profile',
    send: async (values) => {
      const { email, currentPassword } = values;
      const change = changedFacts(form.formState.defaultValues as ProfileValues, values);
      // Omit an unchanged email, which would send its link again.
      const isChanged = email !== (student.pendingEmail ?? student.email);
      const address = isNewAddress(email, student) ? { email, currentPassword } : { email };
      const { version } = student;
      client.setQueryData(studentQuery.queryKey, await updating.mutateAsync({ version, ...change, ...(isChanged && address) }));
      await client.invalidateQueries({ queryKey: studentQuery.queryKey });
      showToast('Profile Updated', 'Your profile has been successfully updated.');
      onSaved();
    },
    onFailure: (error) => {
      showFailure('Update Failed', words(error));
      if (error instanceof ApiError && error.status === 409) void showChanges();
    },
  });
  const { leave, question } = useUnsavedChanges(isDirty);
  const close = () => !isPending && leave(onClose);

  /** Current values, except for local input. */
  async function showChanges() {
    const now = await client.fetchQuery({ ...studentQuery, staleTime: 0 }).catch(() => null);
    if (!now) return;
    setStudent(now);
    takeOver(profileValues(now));
  }

  // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the dialog opens
  useEffect(() => void showChanges(), []);

  return (
    <Dialog title="Edit Profile" isWide onClose={close}>
      <p>All fields are required unless they are marked optional.</p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && words(failure)}
        isToasted
        submitLabel="Save Changes"
        pendingLabel="Saving..."
        onSubmit={submit}
        onCancel={close}
      >
        <ProfileFields
          register={register}
          field={field}
          student={student}
          isMoving={isNewAddress(form.watch('email'), student)}
          country={form.watch('country')}
          // A province belongs to its country: clear it.
          onMove={() => form.setValue('province', '')}
        />
      </Form>
      {question}
    </Dialog>
  );
}

function words(error: Error): string {
  return failureWords(error, 'Your profile could not be saved. Please try again.');
}
