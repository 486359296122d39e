// The catalogue from a spreadsheet, or from the sample that comes with the program.
import { useQueryClient } from '@tanstack/react-query';
import { postText } from '../api.ts';
import { ImportDialog } from '../components/ImportDialog.tsx';
import { bodyOf, type Source } from '../components/importing.ts';
import { managedCoursesQuery } from '../courses/queries.ts';
import { refreshCourses } from './queries.ts';

type ImportCoursesDialogProps = {
  /** Starts with the sample selected. */
  isSample: boolean;
  /** The sample is offered only for an empty catalogue: it would change existing courses. */
  isEmpty: boolean;
  onClose: () => void;
};

async function send(source: Source, isDryRun: boolean) {
  const body = await bodyOf(source);
  const query = new URLSearchParams({ dryRun: isDryRun ? '1' : '0', sample: source === 'sample' ? '1' : '0' });
  return postText(`/api/admin/courses/import?${query}`, body);
}

export function ImportCoursesDialog({ isSample, isEmpty, onClose }: ImportCoursesDialogProps) {
  const client = useQueryClient();
  const hasSample = isSample || isEmpty;

  async function onImported() {
    refreshCourses(client);
    await client.invalidateQueries({ queryKey: managedCoursesQuery.queryKey });
  }

  return (
    <ImportDialog
      things="Courses"
      intro={
        <>
          <p>
            A spreadsheet saved as CSV, with the columns <strong>code</strong>, <strong>name</strong>, <strong>description</strong>,{' '}
            <strong>grade</strong> and <strong>courseType</strong>, and if you like <strong>isCompulsory</strong>,{' '}
            <strong>prerequisite</strong>, <strong>price</strong>, <strong>credits</strong>, <strong>capacity</strong> and{' '}
            <strong>isOpen</strong>. New codes are added and existing ones updated; none are removed. Drop the file here or choose it.
          </p>
          {hasSample && <p>The sample is 158 Ontario courses. Its prices are examples: set your own afterwards.</p>}
        </>
      }
      send={send}
      onImported={onImported}
      onClose={onClose}
      {...(hasSample && { sample: 'Sample of 158 Courses', isSample })}
    />
  );
}
