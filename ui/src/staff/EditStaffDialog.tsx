// The dialog that edits a colleague's name, email and role, without overwriting concurrent changes. One's own role
// needs another administrator, and one's own email the account page.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import * as z from 'zod/mini';
import { userQuery } from '../accounts/signedIn.ts';
import { ApiError } from '../api.ts';
import type { Role, StaffRow } from '../api-types.ts';
import { email } from '../components/email.ts';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { loadPart } from '../components/loadPart.ts';
import { showToast } from '../components/toasts.ts';
import { changeColleague, colleaguesKey, staffQuery } from './queries.ts';
import { RoleField } from './RoleField.tsx';
import { roles } from './roles.ts';
import { changedOf } from './words.ts';

/** Few changes take work away. */
const HandOver = lazy(async () => ({ default: (await loadPart(() => import('./HandOver.tsx'))).HandOver }));

const schema = z.object({
  fullName: z.string().check(z.trim()),
  email: email(),
  role: z.enum(roles as [Role, ...Role[]]),
});

const valuesOf = (row: StaffRow) => ({ fullName: row.fullName ?? '', email: row.email, role: row.role });

type EditStaffDialogProps = { row: StaffRow; isOwn: boolean; onClose: () => void };

export function EditStaffDialog({ row, isOwn, onClose }: EditStaffDialogProps) {
  const client = useQueryClient();
  const changing = useMutation(changeColleague);
  const [handOverTo, setHandOverTo] = useState<number | null>(null);
  return (
    <FormDialog
      title={`Edit ${row.fullName ?? row.username}`}
      schema={schema}
      values={valuesOf(row)}
      fields={['fullName', 'email', 'role']}
      idPrefix="staff"
      submitLabel="Save Changes"
      failed="The account could not be saved. Please try again."
      onFailure={(error, { takeOver }) => {
        if (!(error instanceof ApiError && error.status === 409 && error.current)) return;
        // Saving again is based on what the server has now.
        const now = error.current as StaffRow;
        client.setQueryData(staffQuery.queryKey, (list) => list && { ...list, rows: list.rows.map((one) => (one.id === now.id ? now : one)) });
        takeOver(valuesOf(now));
      }}
      send={async (values, { form }) => {
        // Compare with the current row, which a colleague may have changed.
        await changing.mutateAsync({ id: row.id, version: row.version, ...(values.role !== row.role && { handOverTo }), ...changedOf(form.formState.defaultValues ?? {}, values) });
        await client.invalidateQueries({ queryKey: colleaguesKey });
        if (isOwn) await client.invalidateQueries(userQuery);
        showToast('Account saved');
        onClose();
      }}
      onClose={onClose}
    >
      {({ form, register, field }) => {
        const role = form.watch('role');
        return (
          <>
            <Field {...field('fullName')} label="Full name">
              {(control) => <input {...control} {...register('fullName')} type="text" autoComplete="off" maxLength={100} dir="auto" />}
            </Field>
            {!isOwn && (
              <>
                <Field {...field('email')} label="Email" hint="Both the old and the new address are notified of a change.">
                  {(control) => <input {...control} {...register('email')} type="email" autoComplete="off" spellCheck={false} />}
                </Field>
                <RoleField field={field('role')} register={register('role')} role={role} />
                {role !== row.role && (
                  <>
                    <p>The new role takes effect with their next click. They and every administrator get an email.</p>
                    <Suspense fallback={null}><HandOver row={row} role={role} to={handOverTo} onChoose={setHandOverTo} /></Suspense>
                  </>
                )}
              </>
            )}
            {isOwn && <p className="fine-print">Another administrator can change your role. Change your address on your account page.</p>}
          </>
        );
      }}
    </FormDialog>
  );
}
