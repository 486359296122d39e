// Applies money on account to what is due, for one family or many at once; what was applied can be undone.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureWords, postJson } from '../../api.ts';
import type { AnswerOf } from '../../endpoints.ts';
import { Notice } from '../../components/Notice.tsx';
import { showFailure, showToast } from '../../components/toasts.ts';
import { useAction } from '../../components/useAction.ts';
import { moneyText } from '../../money.ts';
import { newKey, postOnce } from '../../once.ts';
import { moneyKeys } from '../moneyQueries.ts';

type Answer = AnswerOf<'post', '/api/admin/money/apply'>;

export function useApplyMoney() {
  const client = useQueryClient();
  const [answer, setAnswer] = useState<Answer | null>(null);
  const refresh = () => moneyKeys.forEach((queryKey) => void client.invalidateQueries({ queryKey }));
  const applying = useAction({
    mutationFn: (studentIds: number[]) => postOnce(newKey(), '/api/admin/money/apply', { studentIds }),
    onSuccess: (applied) => {
      setAnswer(applied);
      refresh();
    },
    onError: (error) => showFailure('That could not be applied', failureWords(error, 'Please try again.')),
  });
  const undoing = useAction({
    mutationFn: (id: string) => postJson(`/api/admin/money/apply/${id}/undo`),
    onSuccess: () => {
      setAnswer(null);
      showToast('Undone', 'The money is on account again.');
      refresh();
    },
    onError: (error) => showFailure('It was not undone', failureWords(error, 'Please try again.')),
  });
  const undo = answer?.undo;
  const refused = answer?.results.flatMap(({ ok, message }) => (ok || !message ? [] : [message])) ?? [];
  return {
    run: applying.run,
    isPending: applying.isPending,
    /** What was applied, with Undo; null before. */
    notice: answer && (
      <Notice
        kind={undo || refused.length === 0 ? 'success' : 'error'}
        action={<>{undo && <button type="button" className="button button-outline" aria-disabled={undoing.isPending} onClick={() => undoing.run(undo.id)}>Undo</button>}<button type="button" className="button button-quiet" onClick={() => setAnswer(null)}>Dismiss</button></>}
      >
        <p role="status">{appliedWords(answer)}</p>
        {[...new Set(refused)].map((message) => <p key={message}>{message}</p>)}
      </Notice>
    ),
  };
}

/** "$900.00 of 2 families was applied, the oldest due first." */
export function appliedWords({ results }: Pick<Answer, 'results'>): string {
  const rows = results.flatMap(({ row }) => (row ? [row] : []));
  const sum = moneyText(rows.reduce((total, { applied }) => total + applied, 0), '');
  if (rows.length === 0) return 'Nothing was applied.';
  const whose = rows.length === 1 ? '' : ` of ${rows.length} families`;
  const left = results.length - rows.length;
  return `${sum}${whose} was applied, the oldest due first.${left > 0 ? ` ${left} stayed as they were:` : ''}`;
}
