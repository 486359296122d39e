// The dialog that grants or refuses a privacy request, with its consequences.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import * as z from 'zod/mini';
import { DownloadLink } from '../components/GuardedLinks.tsx';
import type { ListedPrivacyRequest } from '../api-types.ts';
import { Field } from '../components/Field.tsx';
import { FormDialog } from '../components/FormDialog.tsx';
import { loadPart } from '../components/loadPart.ts';
import { Spinner } from '../components/Spinner.tsx';
import { showToast } from '../components/toasts.ts';
import { decideRequest, privacyKey } from './queries.ts';
import { requestKinds } from './words.ts';

/** Loaded with the first such request. */
const WhatEndsOf = lazy(async () => ({ default: (await loadPart(() => import('../enrollments/office/WhatEnds.tsx'))).WhatEndsOf }));

const granting = z.object({ reason: z.string().check(z.trim(), z.maxLength(2000, 'Must be at most 2000 characters')) });
const refusing = z.object({
  reason: z.string().check(
    z.trim(),
    z.minLength(10, 'Please say in at least 10 characters why: the person reads it'),
    z.maxLength(2000, 'Must be at most 2000 characters'),
  ),
});

type DecideDialogProps = { request: ListedPrivacyRequest; decision: 'grant' | 'refuse'; onClose: () => void };

export function DecideDialog({ request, decision, onClose }: DecideDialogProps) {
  const client = useQueryClient();
  const deciding = useMutation(decideRequest);
  const isGrant = decision === 'grant';
  const { student, kind, details } = request;
  const name = student.fullName ?? student.email;
  return (
    <FormDialog
      title={`${isGrant ? 'Grant' : 'Refuse'}: ${requestKinds[kind]}`}
      intro={
        <>
          <p><bdi>{name}</bdi> waits for an answer.</p>
          {details && <blockquote className="written" dir="auto">{details}</blockquote>}
          {isGrant && <WhatFollows request={request} />}
          {isGrant && (kind === 'deletion' || kind === 'consent_withdrawal') && <Suspense fallback={<Spinner label="Looking for what is open..." />}><WhatEndsOf studentId={student.id} /></Suspense>}
        </>
      }
      schema={isGrant ? granting : refusing}
      values={{ reason: '' }}
      fields={['reason']}
      idPrefix="decide"
      submitLabel={isGrant ? 'Grant' : 'Refuse'}
      failed="The decision could not be saved. Please try again."
      send={async ({ reason }) => {
        await deciding.mutateAsync({ id: request.id, decision, reason });
        await Promise.all([client.invalidateQueries({ queryKey: privacyKey }), client.invalidateQueries({ queryKey: ['records'] })]);
        showToast(isGrant ? 'Request granted' : 'Request refused', 'The person is notified by email.');
        onClose();
      }}
      onClose={onClose}
    >
      {({ register, field }) => (
        <Field {...field('reason')} label={isGrant ? 'Message to the person (optional)' : 'Reason'} hint="Included in the email to the person.">
          {(control) => <textarea {...control} {...register('reason')} rows={4} dir="auto" />}
        </Field>
      )}
    </FormDialog>
  );
}

function WhatFollows({ request: { kind, student } }: { request: ListedPrivacyRequest }) {
  switch (kind) {
    case 'access':
      return <p>Send <DownloadLink href={`/api/admin/students/${student.id}/archive`}>everything held about this student</DownloadLink> first, or tell the person that it can be downloaded in the portal. Check the notes for other people’s names before you add them.</p>;
    case 'correction':
      return <p>Correct the record first; the history keeps what was there before.</p>;
    case 'deletion':
      return <p>The account is closed at once. The student’s documents and contact details are listed under “Retention”, where you delete them. Marks, charges and the audit trail stay.</p>;
    case 'consent_withdrawal':
      return <p>The withdrawal is recorded and the account is closed at once. The student’s documents and contact details are listed under “Retention”, where you delete them. Marks, charges and the audit trail stay.</p>;
  }
}
