// The head of a request: name, state, age and the next acts; and the last decision, while it can be undone.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import { failureWords, isSignedOut } from '../api.ts';
import { ActionMenu, type MenuItem } from '../components/ActionMenu.tsx';
import { loadPart } from '../components/loadPart.ts';
import { PageHead } from '../components/PageHead.tsx';
import { showFailure, showToast } from '../components/toasts.ts';
import { useAction } from '../components/useAction.ts';
import { useDialogPart } from '../components/useDialogPart.ts';
import { dayText } from '../dates.ts';
import { undoDecision } from '../documents/review/queries.ts';
import { Assignee } from '../messages/Assignee.tsx';
import { officePaths } from '../officePaths.ts';
import { RecordPaymentButton } from '../money/payments/RecordPaymentButton.tsx';
import { useSchool } from '../school/queries.ts';
import { sendLink, tellFailure, useChange, useDecide } from './decisions.ts';
import { requestAssigneesQuery, requestsKey } from './queries.ts';
import { RequestStatus } from './RequestStatus.tsx';
import { admissionItems } from './deposit.ts';
import { RequestAge } from './RequestAge.tsx';
import { RequestTurn } from './RequestTurn.tsx';
import { ageText, canBeInvited, canBeReminded, isOpen, nameOf } from './requests.ts';
import { actLabel, doneWords, nextActs, otherActs, sourceWords, stateWords, type Verb } from './requestWords.ts';
import { useUndoTime } from '../messages/useUndoTime.ts';
import type { DecidedRequest, RequestFile } from './wire.ts';

type ShownDecision = { words: string; decided: DecidedRequest };

export function RequestHead({ request, mayDecide }: { request: RequestFile; mayDecide: boolean }) {
  const [last, setLast] = useState<ShownDecision | null>(null);
  const { timeZone } = useSchool();
  const { reference, status, createdAt, source, studentId, grade } = request;
  const age = ageText(request);
  const view = useDialogPart(() => import('./FamilyViewDialog.tsx'));
  const mayRecord = useUser().duties.includes('money') && request.admission?.status === 'active';
  return (
    <>
      <PageHead
        eyebrow="Admission request"
        title={nameOf(request)}
        actions={
          <>
            {mayRecord && <RecordPaymentButton student={{ id: studentId, name: nameOf(request) }} items={admissionItems(request)} />}
            <button type="button" className="button button-outline" aria-disabled={view.isPending} onClick={view.open}>The Family’s Page</button>
            <Link className="button button-outline" to={officePaths.requests}>All Requests</Link>
          </>
        }
      >
        <p>{`${reference} · Grade ${grade} · received on ${dayText(createdAt, timeZone, 'an unknown date')} · ${sourceWords[source].toLowerCase()}`}</p>
      </PageHead>
      <section className="card request-state" aria-label="State and next steps">
        <div className="row">
          <p className="cluster" role="status">
            <RequestStatus status={status} />
            <span>{stateWords[status]}</span>
            <RequestTurn row={request} />
            {isOpen(status) && <span className="muted"><RequestAge row={request} words={age === 'today' ? 'Since today' : `For ${age}`} /></span>}
            {studentId !== null && <Link to={officePaths.student(studentId)}>Open the student</Link>}
          </p>
          {mayDecide && <AssignedTo request={request} />}
        </div>
        {mayDecide && <Acts request={request} onDecided={setLast} />}
        {mayDecide && <OtherActs status={status} />}
        {view.part && <view.part.FamilyViewDialog id={request.id} onClose={view.close} />}
        {last && <LastDecision key={last.decided.undo?.id ?? last.words} last={last} onUndone={() => setLast(null)} />}
      </section>
    </>
  );
}

/** What can be done in other states, so that no one looks for it. */
function OtherActs({ status }: Pick<RequestFile, 'status'>) {
  return (
    <details className="fine-print other-acts">
      <summary>Not possible now</summary>
      <ul>
        {otherActs(status).map(({ verb, why }) => <li key={verb}><strong>{actLabel(verb, status).replace('…', '')}</strong><span>{`: ${why}`}</span></li>)}
      </ul>
    </details>
  );
}

function AssignedTo({ request: { id, assignee } }: { request: RequestFile }) {
  const colleagues = useQuery(requestAssigneesQuery).data ?? [];
  const change = useChange(id);
  return <dl><Assignee assignee={assignee} colleagues={colleagues} onAssign={(userId) => change.mutate({ verb: 'assign', body: { userId } })} /></dl>;
}

function Acts({ request, onDecided }: { request: RequestFile; onDecided: (last: ShownDecision) => void }) {
  const { status, id, admission, studentId, email } = request;
  const client = useQueryClient();
  const decide = useDecide(request);
  const dialogs = useDialogPart(() => import('./dialogs.tsx'));
  const offering = useDialogPart(() => import('./OfferDialog.tsx'));
  const linking = useDialogPart(() => import('./LinkDialog.tsx'));
  const cancelling = useDialogPart(() => import('./CancelDialog.tsx'));
  const [verb, setVerb] = useState<Verb | null>(null);
  const about = nameOf(request);

  async function send(next: Verb, body: object = {}) {
    const decided = await decide.mutateAsync({ verb: next, body });
    const words = next === 'start-review' && status === 'offered' ? 'Offer withdrawn' : doneWords[next];
    onDecided({ words, decided });
    showToast(words);
    close();
  }

  const acting = useAction<unknown, Verb>({ mutationFn: (next) => send(next), onError: tellFailure });
  const resending = useAction({
    mutationFn: () => sendLink(email),
    onSuccess: () => showToast('Link sent', `A new link is on its way to ${email}.`),
    onError: (error) => !isSignedOut(error) && showFailure('The link was not sent', failureWords(error, 'Please try again.')),
  });

  function close() {
    dialogs.close();
    offering.close();
    setVerb(null);
  }

  function begin(next: Verb) {
    setVerb(next);
    if (next === 'offer') return offering.open();
    if (next === 'reopen' || next === 'remind' || (next === 'start-review' && status !== 'offered')) return acting.run(next);
    dialogs.open();
  }

  const inviting = useAction({
    mutationFn: async () => (await loadPart(() => import('./atOnce.ts'))).atOnce.invite([request]),
    onSuccess: ({ failures }) => {
      if (failures[0]) showFailure('The invitation was not sent', failures[0].message);
      else showToast('Invitation sent', `To ${request.account?.email ?? email}.`);
      void client.invalidateQueries({ queryKey: requestsKey });
    },
    onError: tellFailure,
  });
  const acts = (nextActs[status] as readonly Verb[]).filter((act) => act !== 'remind' || canBeReminded(request));
  const seldom: MenuItem[] = [
    ...(acts.includes('withdraw') ? [{ label: actLabel('withdraw', status), onPress: () => begin('withdraw') }] : []),
    { label: 'Send the Link Again', onPress: () => resending.run() },
    ...(studentId === null ? [{ label: 'Link to a Student…', onPress: linking.open }] : []),
    ...(admission?.status === 'active' ? [{ label: 'Cancel Admission…', onPress: cancelling.open, isDangerous: true }] : []),
  ];
  const parts = { about, onClose: close };
  return (
    <div className="cluster">
      {acts.filter((act) => act !== 'withdraw').map((act, place) => (
        <button
          key={act}
          type="button"
          className={place === 0 ? 'button button-primary' : 'button button-outline'}
          aria-disabled={acting.isPending}
          onClick={() => begin(act)}
        >
          {actLabel(act, status)}
        </button>
      ))}
      {canBeInvited(request) && <button type="button" className="button button-primary" aria-disabled={inviting.isPending} onClick={() => inviting.run()}>{inviting.isPending ? 'Sending...' : 'Invite Again'}</button>}
      <ActionMenu label="More" items={seldom} />
      {offering.part && <offering.part.OfferDialog {...parts} request={request} send={(body) => send('offer', body)} />}
      {dialogs.part && verb === 'ask' && <dialogs.part.AskDialog {...parts} send={(body) => send('ask', body)} />}
      {dialogs.part && verb === 'waitlist' && <dialogs.part.WaitlistDialog {...parts} send={() => send('waitlist')} />}
      {dialogs.part && verb === 'decline' && <dialogs.part.DeclineDialog {...parts} send={(body) => send('decline', body)} />}
      {dialogs.part && (verb === 'withdraw' || verb === 'start-review') && <dialogs.part.TakeBackDialog verb={verb} onClose={close} send={(body) => send(verb, body)} />}
      {linking.part && <linking.part.LinkDialog id={id} onClose={linking.close} />}
      {cancelling.part && admission && (
        <cancelling.part.CancelDialog
          admissionId={admission.id}
          onClose={cancelling.close}
          onCancelled={() => {
            cancelling.close();
            void client.invalidateQueries({ queryKey: requestsKey });
          }}
        />
      )}
    </div>
  );
}

function LastDecision({ last: { words, decided }, onUndone }: { last: ShownDecision; onUndone: () => void }) {
  const client = useQueryClient();
  const isUndoable = useUndoTime(decided.undo, decided.status === 'info_requested' && decided.question?.remindedAt ? decided.question.remindedAt : decided.stateSince);
  const undoing = useAction({
    mutationFn: () => undoDecision(decided.undo?.id ?? ''),
    onSuccess: async () => {
      showToast('Decision undone', 'No email about it was sent.');
      await client.invalidateQueries({ queryKey: requestsKey });
      onUndone();
    },
    onError: (error) => !isSignedOut(error) && showFailure('The decision stands', failureWords(error, 'It could not be undone. Please try again.')),
  });
  if (!isUndoable) return null;
  return (
    <p className="cluster request-undo" role="status">
      <strong>{`${words}.`}</strong>
      <span className="muted">The email waits for a moment.</span>
      <button type="button" className="button button-quiet" aria-disabled={undoing.isPending} onClick={() => undoing.run()}>{undoing.isPending ? 'Undoing...' : 'Undo'}</button>
    </p>
  );
}
