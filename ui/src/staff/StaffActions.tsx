// An administrator's actions on a colleague's account; harmful ones ask first.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import { failureWords, isSignedOut } from '../api.ts';
import type { StaffRow } from '../api-types.ts';
import { ActionMenu, type MenuItem } from '../components/ActionMenu.tsx';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { useDialogPart } from '../components/useDialogPart.ts';
import { officePaths } from '../officePaths.ts';
import { EditStaffDialog } from './EditStaffDialog.tsx';
import { actOnColleague, colleaguesKey, type StaffVerb } from './queries.ts';
import { nameOf } from './words.ts';

const outcomes: Record<StaffVerb, string> = {
  enable: 'The colleague can log in again',
  'end-sessions': 'Signed out everywhere',
  'send-password-link': 'Password link sent',
  'reset-second-factor': 'Second factor reset',
};

export function StaffActions({ row }: { row: StaffRow }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const isOwn = useUser().id === row.id;
  const [open, setOpen] = useState<'edit' | 'end-sessions' | 'reset-second-factor' | null>(null);
  const close = () => setOpen(null);
  const disabling = useDialogPart(() => import('./DisableDialog.tsx'));
  const action = useAction({
    ...actOnColleague,
    onSuccess: async (_, { verb }) => {
      await client.invalidateQueries({ queryKey: colleaguesKey });
      close();
      showToast(outcomes[verb], verb === 'send-password-link' ? `To ${row.email}.` : null);
    },
    onError: (error) => {
      if (!isSignedOut(error)) showFailure('That did not work', failureWords(error, 'Please try again.'));
    },
  });
  const act = (verb: StaffVerb) => action.run({ id: row.id, verb });
  const items: MenuItem[] = [
    { label: 'Edit...', onPress: () => setOpen('edit') },
    isOwn && { label: 'Your Account Page', onPress: () => void navigate(officePaths.account) },
    row.state === 'active' && !isOwn && { label: 'Send Password Link', onPress: () => act('send-password-link') },
    row.state === 'disabled' && { label: 'Enable', onPress: () => act('enable') },
    row.hasSecondFactor && !isOwn && { label: 'Reset Second Factor...', onPress: () => setOpen('reset-second-factor'), isDangerous: true },
    row.devices > 0 && !isOwn && { label: 'Sign Out Everywhere...', onPress: () => setOpen('end-sessions'), isDangerous: true },
    row.state === 'active' && !isOwn && { label: 'Disable...', onPress: disabling.open, isDangerous: true },
  ].filter((item): item is MenuItem => item !== false);

  return (
    <>
      <ActionMenu label={`Actions for ${nameOf(row)}`} items={items} isCompact />
      {open === 'edit' && <EditStaffDialog row={row} isOwn={isOwn} onClose={close} />}
      {disabling.part && <disabling.part.DisableDialog row={row} onClose={disabling.close} />}
      {open === 'reset-second-factor' && (
        <ConfirmDialog
          title={`Reset the second factor of ${nameOf(row)}?`}
          confirmLabel="Reset"
          pendingLabel="Resetting..."
          isPending={action.isPending}
          isDangerous
          onConfirm={() => act('reset-second-factor')}
          onClose={close}
        >
          <p>For a colleague who has lost both phone and recovery codes. Verify who is asking first: until a new one is set up, the password alone opens the account. They are logged out everywhere and notified by email.</p>
        </ConfirmDialog>
      )}
      {open === 'end-sessions' && (
        <ConfirmDialog
          title={`Sign ${nameOf(row)} out everywhere?`}
          confirmLabel="Sign Out"
          pendingLabel="Signing Out..."
          isPending={action.isPending}
          isDangerous
          onConfirm={() => act('end-sessions')}
          onClose={close}
        >
          <p>{`${row.devices === 1 ? 'One device is' : `${row.devices} devices are`} signed out at once. Unsaved work there may be lost. The colleague can log in again.`}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
