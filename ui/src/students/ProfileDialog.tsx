// Edit Profile (section 2): every field of the profile, with section 5's messages.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { failureWords } from '../api.ts';
import type { Student } from '../api-types.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Form } from '../components/Form.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useServerForm } from '../components/useServerForm.ts';
import { useUnsavedChanges } from '../components/useUnsavedChanges.tsx';
import { isNewAddress, profileFields, profileSchemaOf, profileValues } from './profile.ts';
import { ProfileFields } from './ProfileFields.tsx';
import { studentQuery, updateProfile } from './queries.ts';

type ProfileDialogProps = { student: Student; onClose: () => void; onSaved: () => void };

export function ProfileDialog({ student, onClose, onSaved }: ProfileDialogProps) {
  const client = useQueryClient();
  const updating = useMutation(updateProfile);
  const { form, register, field, failure, isDirty, isPending, summary, submit } = useServerForm({
    schema: profileSchemaOf(student),
    values: profileValues(student),
    fields: profileFields,
    idPrefix: 'profile',
    send: async ({ email, currentPassword, ...rest }) => {
      // An address that was not changed is not named: naming it would send its link once more.
      const isChanged = email !== (student.pendingEmail ?? student.email);
      const address = isNewAddress(email, student) ? { email, currentPassword } : { email };
      client.setQueryData(studentQuery.queryKey, await updating.mutateAsync(isChanged ? { ...rest, ...address } : rest));
      await client.invalidateQueries({ queryKey: studentQuery.queryKey });
      showToast('Profile Updated', 'Your profile has been successfully updated.');
      onSaved();
    },
    onFailure: (error) => showFailure('Update Failed', words(error)),
  });
  const { leave, question } = useUnsavedChanges(isDirty);

  return (
    <Dialog title="Edit Profile" isWide onClose={() => leave(onClose)}>
      <p>All fields are needed unless they are marked optional.</p>
      <Form
        isPending={isPending}
        summary={summary}
        error={failure && words(failure)}
        isToasted
        submitLabel="Save Changes"
        pendingLabel="Saving..."
        onSubmit={submit}
        onCancel={() => leave(onClose)}
      >
        <ProfileFields
          register={register}
          field={field}
          student={student}
          isMoving={isNewAddress(form.watch('email'), student)}
          country={form.watch('country')}
          // What is a province in one country is none in another.
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
