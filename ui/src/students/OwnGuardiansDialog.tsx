// The signed-in student's own list of guardians, in its dialog.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { studentQuery } from '../accounts/signedIn.ts';
import { Dialog } from '../components/Dialog.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { showToast } from '../components/toasts.ts';
import { GuardiansDialog } from './GuardiansDialog.tsx';
import { ownGuardiansQuery, replaceGuardians } from './queries.ts';

export function OwnGuardiansDialog({ onSaved, onClose }: { onSaved: () => void | Promise<void>; onClose: () => void }) {
  const client = useQueryClient();
  const { data: guardians, isFetchedAfterMount } = useQuery(ownGuardiansQuery);
  if (!guardians || !isFetchedAfterMount) return <Dialog title="Parents and Guardians" isWide onClose={onClose}><Spinner label="Loading..." /></Dialog>;
  async function finish() {
    await Promise.all([ownGuardiansQuery, studentQuery].map(({ queryKey }) => client.invalidateQueries({ queryKey })));
    showToast('Guardians saved');
    await onSaved();
  }
  return <GuardiansDialog guardians={guardians} saving={replaceGuardians} onSaved={finish} onClose={onClose} />;
}
