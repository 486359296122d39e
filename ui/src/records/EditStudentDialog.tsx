// Edit Profile, by the office: fields may be blank, and a colleague's changes are not overwritten.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { ApiError } from '../api.ts';
import type { StudentFile } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { showToast } from '../components/toasts.ts';
import { recordsKey, studentFileQuery } from '../enrollments/office/studentFile.ts';
import { changedFacts, profileFields, type ProfileValues, profileValues } from '../students/profile.ts';
import { ProfileFields } from '../students/ProfileFields.tsx';
import { changeStudent } from './queries.ts';

// Fields may be blank, so only the server validates.
const schema = z.custom<ProfileValues & { reason: string }>();

export function EditStudentDialog({ file: { student }, onClose }: { file: StudentFile; onClose: () => void }) {
  const client = useQueryClient();
  const changing = useMutation(changeStudent);
  return (
    <FormDialog
      title="Edit Profile"
      isWide
      intro={<p>You can leave fields blank. To change the email address, use “Correct Email”.</p>}
      schema={schema}
      values={{ ...profileValues(student), reason: '' }}
      fields={[...profileFields, 'reason']}
      idPrefix="student-profile"
      submitLabel="Save Changes"
      failed="The profile could not be saved. Please try again."
      onFailure={async (error, { takeOver }) => {
        if (!isMoved(error)) return;
        const now = await client.fetchQuery({ ...studentFileQuery(student.id), staleTime: 0 }).catch(() => undefined);
        if (now) takeOver({ ...profileValues(now.student), reason: '' });
      }}
      send={async ({ reason, ...values }, { form }) => {
        await changing.mutateAsync({ id: student.id, version: student.version, reason, ...changedFacts(form.formState.defaultValues as ProfileValues, values) });
        await client.invalidateQueries({ queryKey: recordsKey });
        showToast('Profile saved');
        onClose();
      }}
      onClose={onClose}
    >
      {({ form, register, field }) => (
        <>
          <ProfileFields
            register={register as never}
            field={field}
            student={student}
            isMoving={false}
            isOffice
            country={form.watch('country')}
            onMove={() => form.setValue('province', '')}
          />
          <Field {...field('reason')} label="Reason (optional)" hint="For the history.">
            {(control) => <input {...control} {...register('reason')} type="text" autoComplete="off" maxLength={500} dir="auto" />}
          </Field>
        </>
      )}
    </FormDialog>
  );
}

const isMoved = (error: Error) => error instanceof ApiError && error.status === 409;
