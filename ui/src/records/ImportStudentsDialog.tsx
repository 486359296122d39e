// Students from a spreadsheet.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { postText } from '../api.ts';
import { ImportDialog } from '../components/ImportDialog.tsx';
import { bodyOf, type ColumnChoice, type Source } from '../components/importing.ts';
import { recordsKey } from '../enrollments/office/studentFile.ts';

export function ImportStudentsDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [invite, setInvite] = useState(false);

  async function send(source: Source, isDryRun: boolean, columns: ColumnChoice) {
    const body = await bodyOf(source);
    const asked = new URLSearchParams({ dryRun: isDryRun ? '1' : '0', invite: invite ? '1' : '0', columns: JSON.stringify(columns) });
    return postText(`/api/admin/students/import?${asked}`, body);
  }

  return (
    <ImportDialog
      things="Students"
      intro={
        <p>
          A spreadsheet saved as CSV, with columns for the <strong>email</strong> and the <strong>name</strong> and, if you have them,
          those of the profile. Other headings are asked about. New addresses are added and existing ones updated; none are removed. Drop the file here or choose it.
        </p>
      }
      send={send}
      columnName={columnName}
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

/** "fullName" as "Full name". */
const columnName = (column: string) => column.replace(/^./, (first) => first.toUpperCase()).replaceAll(/[A-Z]/g, (letter, at: number) => (at === 0 ? letter : ` ${letter.toLowerCase()}`));
