// What the office can do with a student's account: the usual things as buttons, the rest in a menu.
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { StudentFile, StudentRecord } from '../api-types.ts';
import { ActionMenu, type MenuItem } from '../components/ActionMenu.tsx';
import { ConfirmDialog } from '../components/ConfirmDialog.tsx';
import type { Elements } from '../components/elements.ts';
import { Icon } from '../components/Icon.tsx';
import { paths } from '../paths.ts';
import { useUser } from '../staff/useUser.ts';
import { CloseDialog, SuspendDialog } from './ReasonDialog.tsx';
import { CorrectEmailDialog } from './CorrectEmailDialog.tsx';
import { EditStudentDialog } from './EditStudentDialog.tsx';
import { MergeDialog } from './MergeDialog.tsx';
import { useAccountAction } from './useAccountAction.ts';
import { nameOf } from './words.ts';
import { WriteDialog } from './WriteDialog.tsx';

type DialogName = 'edit' | 'email' | 'write' | 'suspend' | 'close' | 'merge' | 'factor';

export function StudentActions({ file }: { file: StudentFile }) {
  const { student } = file;
  const [open, setOpen] = useState<DialogName | null>(null);
  const { duties } = useUser();
  const act = useAccountAction(student);
  const navigate = useNavigate();
  const close = () => setOpen(null);
  const history = () => void navigate(`${paths.adminAudit}?student=${student.id}`);
  const items = itemsFor(student, duties.includes('merging'), { open: setOpen, act, history });

  const dialogs: Record<DialogName, Elements> = {
    edit: <EditStudentDialog student={student} onClose={close} />,
    email: <CorrectEmailDialog student={student} onClose={close} />,
    write: <WriteDialog student={student} onClose={close} />,
    suspend: <SuspendDialog student={student} onClose={close} />,
    close: <CloseDialog file={file} onClose={close} />,
    merge: <MergeDialog file={file} onClose={close} />,
    factor: (
      <ConfirmDialog
        title={`Reset the second factor of ${nameOf(student)}?`}
        confirmLabel="Reset"
        isDangerous
        onConfirm={() => {
          close();
          act('reset-second-factor');
        }}
        onClose={close}
      >
        <p>For a student who has lost the phone and the recovery codes. Be sure that it is them who asks: from now on the password alone opens the account, until they set up a new one. They are logged out everywhere, and told by e-mail.</p>
      </ConfirmDialog>
    ),
  };
  return (
    <>
      <button type="button" className="button button-outline" onClick={() => setOpen('edit')}><Icon name="pencil" /> Edit Profile</button>
      <ActionMenu label="More" items={items} />
      {open && dialogs[open]}
    </>
  );
}

type Does = { open: (dialog: DialogName) => void; act: ReturnType<typeof useAccountAction>; history: () => void };

/** Only what can be done now; what shuts somebody out comes last. */
function itemsFor(student: StudentRecord, mayMerge: boolean, { open, act, history }: Does): MenuItem[] {
  const { status, mergedInto, hasSecondFactor } = student;
  const isOpen = status === 'active' || status === 'unverified';
  return [
    status !== 'closed' && { label: 'Correct E-mail...', onPress: () => open('email') },
    status === 'unverified' && {
      label: student.origin === 'office' ? 'Send Invitation Again' : 'Resend Verification',
      onPress: () => act('resend-verification'),
    },
    isOpen && { label: 'Send Password Link', onPress: () => act('send-password-link') },
    { label: 'Write an E-mail...', onPress: () => open('write') },
    { label: 'History in the Audit', onPress: history },
    mayMerge && status !== 'closed' && { label: 'Merge Duplicate...', onPress: () => open('merge') },
    (status === 'suspended' || status === 'closed') && mergedInto === null && { label: 'Reinstate', onPress: () => act('reinstate') },
    hasSecondFactor && { label: 'Reset Second Factor...', onPress: () => open('factor'), isDangerous: true },
    status === 'active' && { label: 'Suspend...', onPress: () => open('suspend'), isDangerous: true },
    status !== 'closed' && { label: 'Close Account...', onPress: () => open('close'), isDangerous: true },
  ].filter((item): item is MenuItem => item !== false);
}
