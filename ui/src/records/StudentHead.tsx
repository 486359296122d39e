// The head of a student's page: name, number, age, badges, contact, missing items and account actions.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import type { StudentFile } from '../api-types.ts';
import { EmailAddress } from '../components/EmailAddress.tsx';
import { Notice } from '../components/Notice.tsx';
import { PageHead } from '../components/PageHead.tsx';
import { PhoneNumber } from '../components/PhoneNumber.tsx';
import { dayText } from '../dates.ts';
import type { Decided } from '../enrollments/decisionResults.ts';
import { UndoButton } from '../enrollments/UndoButton.tsx';
import { moneyText } from '../money.ts';
import { officePaths } from '../officePaths.ts';
import { RecordPaymentButton } from '../money/payments/RecordPaymentButton.tsx';
import { useSchool } from '../school/queries.ts';
import { FlagBadges } from './FlagBadges.tsx';
import { accountStates } from './flags.ts';
import { StudentActions } from './StudentActions.tsx';
import { closingKeys } from './queries.ts';
import { ageWords, nameOf } from './words.ts';

const none: never[] = [];

export function StudentHead({ file }: { file: StudentFile }) {
  const { student, wanted, money, flags } = file;
  const missing = wanted?.filter(({ isWithOffice }) => !isWithOffice);
  const { duties } = useUser();
  const age = ageWords(file);
  const facts = [student.number, age].filter(Boolean).join(' · ');
  const state = accountStates[student.status];
  const [closing, setClosing] = useState<Decided | null>(null);

  return (
    <>
      <PageHead
        eyebrow="Student"
        title={nameOf(student)}
        actions={<>{duties.includes('money') && <RecordPaymentButton student={{ id: student.id, name: nameOf(student) }} items={money?.perItem ?? none} />}{duties.includes('students') && <StudentActions file={file} onDecided={setClosing} />}</>}
      >
        <p>{student.preferredName && <><span>“</span><bdi>{student.preferredName}</bdi><span>” · </span></>}<bdi>{facts || 'No student number yet'}</bdi></p>
      </PageHead>
      <div className="cluster student-facts">
        <span className="cluster flag-badges">
          <span className={`badge tone-${state.tone}`}>{state.label}</span>
          <FlagBadges flags={flags.filter((flag) => !['unverified', 'suspended', 'closed'].includes(flag))} />
        </span>
        <a href={`mailto:${student.email}`}><EmailAddress address={student.email} /></a>
        {student.phoneNumber && <PhoneNumber number={student.phoneNumber} />}
        {money && <span>{`Balance ${moneyText(money.balance, '—')}`}</span>}
        {missing && missing.length > 0 && <span className="muted">{`Missing: ${missing.map(({ label }) => label).join(', ')}`}</span>}
      </div>
      <Banners file={file} closing={closing} onUndone={() => setClosing(null)} />
    </>
  );
}

function Banners({ file: { student }, closing, onUndone }: { file: StudentFile; closing: Decided | null; onUndone: () => void }) {
  const { timeZone } = useSchool();
  const client = useQueryClient();
  return (
    <>
      {student.status === 'suspended' && (
        <Notice kind="error" isQuiet title="This student is suspended">
          <p>{`${student.suspendedReason ?? 'No reason is recorded.'} The student portal says to contact the office.`}</p>
        </Notice>
      )}
      {student.status === 'closed' && (
        <Notice kind="plain" title={`This account was closed on ${dayText(student.closedAt, timeZone, 'an unknown date')}`}>
          <p>
            <span>{`${student.closedReason ?? ''} `}</span>
            {closing && (
              <>
                <span id="account-closed">Its emails are sent in a minute. </span>
                <UndoButton
                  describedBy="account-closed"
                  decided={closing}
                  onUndone={() => {
                    onUndone();
                    for (const queryKey of closingKeys) void client.invalidateQueries({ queryKey });
                  }}
                />
              </>
            )}
            {student.mergedInto !== null && <Link to={officePaths.student(student.mergedInto)}>Open the account it was merged into</Link>}
          </p>
        </Notice>
      )}
      {student.identityChangedAt !== null && (
        <Notice kind="plain" title="Personal details changed">
          <p>
            <span>{`Name, date of birth or Canadian status changed on ${dayText(student.identityChangedAt, timeZone, 'an unknown date')}, after a check or an approval. `}</span><Link to={officePaths.identityChanges}>Identity changes</Link>
          </p>
        </Notice>
      )}
      {student.pendingEmail && (
        <Notice kind="plain">
          <p>The new address <EmailAddress address={student.pendingEmail} /> is waiting for confirmation.</p>
        </Notice>
      )}
    </>
  );
}
