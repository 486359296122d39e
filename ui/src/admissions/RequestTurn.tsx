// What a request waits for outside the school, or how the family answered: a question, its reminder, an invitation.
import { shortDayText } from '../dates.ts';
import { useSchool } from '../school/queries.ts';
import { hasExpired } from './requests.ts';
import type { RequestRow } from './wire.ts';

export function RequestTurn({ row: { question, account } }: { row: Pick<RequestRow, 'question' | 'account'> }) {
  const { timeZone } = useSchool();
  const day = (at: string) => shortDayText(at, timeZone, '');
  if (question?.answered) return <small className="flag flag-good">{question.answered === 'document' ? 'document received' : 'answered'}</small>;
  if (question) return <small>{`asked ${day(question.askedAt)}${question.remindedAt ? `, reminded ${day(question.remindedAt)}` : ''}`}</small>;
  if (!account) return null;
  if (hasExpired(account.expiresAt)) return <small className="flag">invitation expired</small>;
  return <small>{`invitation expires ${day(account.expiresAt ?? '')}`}</small>;
}
