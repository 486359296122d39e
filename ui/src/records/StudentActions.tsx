// Actions on a student's account: common ones as buttons, others in a menu.
import { type ComponentType, useState } from 'react';
import { useNavigate } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import { failureWords } from '../api.ts';
import type { StudentFile, StudentRecord } from '../api-types.ts';
import { ActionMenu, type MenuItem } from '../components/ActionMenu.tsx';
import { Icon } from '../components/Icon.tsx';
import { loadPart } from '../components/loadPart.ts';
import { showFailure } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import type { Decided } from '../enrollments/decisionResults.ts';
import { officePaths } from '../officePaths.ts';
import { useAccountAction } from './useAccountAction.ts';

/** Lazy-loaded: most visits only read. */
type SeldomDialog = ComponentType<{ file: StudentFile; onClose: () => void; onDecided: (decided: Decided) => void }>;

const seldom = {
  edit: async () => (await import('./EditStudentDialog.tsx')).EditStudentDialog,
  write: async () => (await import('./WriteDialog.tsx')).WriteDialog,
  factor: async () => (await import('./ResetFactorDialog.tsx')).ResetFactorDialog,
  email: async () => (await import('./CorrectEmailDialog.tsx')).CorrectEmailDialog,
  merge: async () => (await import('./MergeDialog.tsx')).MergeDialog,
  suspend: async () => (await import('./ReasonDialog.tsx')).SuspendDialog,
  reinstate: async () => (await import('./ReasonDialog.tsx')).ReinstateDialog,
  close: async () => (await import('./CloseDialog.tsx')).CloseDialog,
} satisfies Record<string, () => Promise<SeldomDialog>>;

export function StudentActions({ file, onDecided }: { file: StudentFile; onDecided: (decided: Decided) => void }) {
  const { student } = file;
  const [loaded, setLoaded] = useState<{ Dialog: SeldomDialog } | null>(null);
  const { duties } = useUser();
  const act = useAccountAction(student);
  const navigate = useNavigate();
  const history = () => void navigate(`${officePaths.audit}?student=${student.id}`);
  const loading = useAction({
    mutationFn: (name: keyof typeof seldom) => loadPart<SeldomDialog>(seldom[name]),
    onSuccess: (Dialog) => setLoaded({ Dialog }),
    onError: (error) => showFailure('That could not be opened', failureWords(error, error.message)),
  });
  const items = itemsFor(student, duties.includes('merging'), { load: (name) => loading.run(name), act, history });

  return (
    <>
      <button type="button" className="button button-outline" onClick={() => loading.run('edit')}><Icon name="pencil" /> Edit Profile</button>
      <ActionMenu label="More" items={items} />
      {loaded && <loaded.Dialog file={file} onDecided={onDecided} onClose={() => setLoaded(null)} />}
    </>
  );
}

type FileActions = { load: (dialog: keyof typeof seldom) => void; act: ReturnType<typeof useAccountAction>; history: () => void };

/** Available actions; those that lock the account come last. */
function itemsFor(student: StudentRecord, mayMerge: boolean, { load, act, history }: FileActions): MenuItem[] {
  const { status, mergedInto, hasSecondFactor } = student;
  const isOpen = status === 'active' || status === 'unverified';
  return [
    status !== 'closed' && { label: 'Correct Email...', onPress: () => load('email') },
    status === 'unverified' && {
      label: student.origin === 'office' ? 'Send Invitation Again' : 'Resend Verification',
      onPress: () => act('resend-verification'),
    },
    isOpen && { label: 'Send Password Link', onPress: () => act('send-password-link') },
    { label: 'Write an Email...', onPress: () => load('write') },
    { label: 'History in the Audit', onPress: history },
    mayMerge && status !== 'closed' && { label: 'Merge Duplicate...', onPress: () => load('merge') },
    (status === 'suspended' || status === 'closed') && mergedInto === null && { label: 'Reinstate...', onPress: () => load('reinstate') },
    hasSecondFactor && { label: 'Reset Second Factor...', onPress: () => load('factor'), isDangerous: true },
    status === 'active' && { label: 'Suspend...', onPress: () => load('suspend'), isDangerous: true },
    status !== 'closed' && { label: 'Close Account...', onPress: () => load('close'), isDangerous: true },
  ].filter((item): item is MenuItem => item !== false);
}
