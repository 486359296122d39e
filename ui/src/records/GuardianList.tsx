// A student's guardians, edited by the office.
import { useQueryClient } from '@tanstack/react-query';
import type { Guardian } from '../api-types.ts';
import { showToast } from '../components/toasts.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';
import { GuardiansDialog } from '../students/GuardiansDialog.tsx';
import { replaceGuardiansOf } from './queries.ts';

type GuardianListProps = { studentId: number; guardians: readonly Guardian[]; onClose: () => void };

export function GuardianList({ studentId, guardians, onClose }: GuardianListProps) {
  const client = useQueryClient();
  async function finish() {
    await client.invalidateQueries({ queryKey: recordsKey });
    showToast('Guardians saved');
    onClose();
  }
  return <GuardiansDialog guardians={guardians} saving={replaceGuardiansOf(studentId)} onSaved={finish} onClose={onClose} />;
}
