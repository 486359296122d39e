// What the office can decide about one document of the list. In the queue it is the same by keyboard.
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useUser } from '../../accounts/signedIn.ts';
import { failureWords, isSignedOut } from '../../api.ts';
import type { RejectCode, StudentDocument } from '../../api-types.ts';
import { showFailure, showToast } from '../../components/toasts.ts';
import { useAction } from '../../components/useAction.ts';
import { useDialogPart } from '../../components/useDialogPart.ts';
import { officePaths } from '../../officePaths.ts';
import { documentName, documentReviews } from '../types.ts';
import { decideDocument, reopenDocument, type Verdict } from './queries.ts';

export function DocumentDecisions({ document }: { document: StudentDocument }) {
  const client = useQueryClient();
  const mayDecide = useUser().duties.includes('students');
  const rejecting = useDialogPart(() => import('./RejectDialog.tsx'));
  const deciding = useAction<StudentDocument, Verdict | 'reopen'>({
    mutationFn: (verdict) => (verdict === 'reopen' ? reopenDocument(document.id) : decideDocument(document.id, verdict)),
    onSuccess: async (now) => {
      await client.invalidateQueries({ queryKey: ['documents'] });
      showToast(`${documentName(now)}: ${documentReviews[now.status].label}`);
    },
    onError: async (error) => {
      if (isSignedOut(error)) return;
      await client.invalidateQueries({ queryKey: ['documents'] });
      showFailure('The document was not decided', failureWords(error, 'Please try again.'));
    },
  });
  function reject(code: RejectCode, text: string) {
    rejecting.close();
    deciding.run({ verb: 'reject', code, text });
  }
  const isId = document.documentType === 'government_id';
  const isDecided = document.status === 'accepted' || document.status === 'rejected';
  if (!mayDecide) return null;
  if (isDecided) return <button type="button" className="button button-quiet" onClick={() => deciding.run('reopen')}>Reopen</button>;
  if (document.status !== 'pending_review') return null;
  return (
    <>
      {/* Accepting an ID is the identity check: it is done in the queue, beside the profile. */}
      {isId && <Link className="button button-quiet" to={`${officePaths.documents()}?status=pending_review`}>Review</Link>}
      {!document.fault && !isId && <button type="button" className="button button-quiet" onClick={() => deciding.run({ verb: 'accept', expiresOn: null, isCompared: false })}>Accept</button>}
      <button type="button" className="button button-quiet" onClick={rejecting.open}>Reject</button>
      {rejecting.part && <rejecting.part.RejectDialog document={document} onClose={rejecting.close} onReject={reject} />}
    </>
  );
}
