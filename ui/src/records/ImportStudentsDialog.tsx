// Students from a spreadsheet.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { postText } from '../api.ts';
import { ImportDialog } from '../components/ImportDialog.tsx';
import { bodyOf, type Source } from '../components/importing.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';

export function ImportStudentsDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [invite, setInvite] = useState(false);

  async function send(source: Source, isDryRun: boolean) {
    const body = await bodyOf(source);
    return postText(`/api/admin/students/import?${new URLSearchParams({ dryRun: isDryRun ? '1' : '0', invite: invite ? '1' : '0' })}`, body);
  }

  return (
    <ImportDialog
      things="Students"
      intro={
        <p>
          A spreadsheet saved as CSV, with the columns <strong>email</strong> and <strong>fullName</strong> and, if you have them,
          those of the profile. New addresses are added and existing ones updated; none are removed. Drop the file here or choose it.
        </p>
      }
      send={send}
      onImported={() => client.invalidateQueries({ queryKey: recordsKey })}
      onClose={onClose}
      choices={
        <label className="tick">
          <input type="checkbox" checked={invite} onChange={(event) => setInvite(event.target.checked)} />
          Send an invitation to each new student
        </label>
      }
    />
  );
}
