// The family page: the students under 18 who name the reader's address, and what waits for the reader. A link's secret is
// removed from the address once it has begun the session.
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { AccountCard } from '../accounts/AccountCard.tsx';
import { DoneButton, SignedOutCard } from '../accounts/DoneButton.tsx';
import type { Family } from '../api-types.ts';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { loadPart } from '../components/loadPart.ts';
import { PageHead } from '../components/PageHead.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { paths } from '../paths.ts';
import { FamilyChild } from './FamilyChild.tsx';
import { FamilyLink } from './FamilyLink.tsx';
import { endSession, familyQuery } from './queries.ts';
import './FamilyPage.css';

const FamilyTotal = lazy(async () => ({ default: (await loadPart(() => import('./FamilyTotal.tsx'))).FamilyTotal }));

export function FamilyPage() {
  const { token } = useParams();
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  // The session outlives the token, which is used once.
  const [first] = useState(token);
  const [isOver, setIsOver] = useState(false);
  const family = useQuery({ ...familyQuery(token), enabled: !isOver });

  useEffect(() => {
    if (token && family.data) void navigate(paths.family, { replace: true });
  }, [token, family.data, navigate]);

  if (isOver) return <SignedOutCard title="Family Page" />;
  if (family.isPending) return <AccountCard icon="mail" title="Family Page"><Spinner label="Loading..." /></AccountCard>;
  if (family.isError) {
    return (
      <div className="wrap family">
        <PageHead ref={heading} eyebrow="For parents and guardians" title="Family Page" />
        <LoadFailed words="Your family page could not be loaded. Please try again." query={family} heading={heading} />
      </div>
    );
  }
  return family.data ? <Children family={family.data} onDone={() => setIsOver(true)} /> : <FamilyLink isDead={first !== undefined} />;
}

function Children({ family, onDone }: { family: Family; onDone: () => void }) {
  // Typed once, and kept for the next request.
  const [name, setName] = useState('');
  const { children } = family;
  if (children.length === 0) {
    return (
      <AccountCard icon="mail" title="Family Page">
        <p>No student under 18 names <strong>{family.email}</strong> as the address of a parent or guardian.</p>
        <p>A student disappears from this page on the 18th birthday. If you expected to find one here, please ask the office.</p>
      </AccountCard>
    );
  }
  const asked = children.flatMap(({ enrollments }) => enrollments).filter(({ isAsked }) => isAsked).length;
  return (
    <div className="wrap family">
      <PageHead eyebrow="For parents and guardians" title="Family Page">
        <p>{waitsWords(asked)}</p>
        {children.length > 1 && family.total > 0 && <Suspense fallback={null}><FamilyTotal total={family.total} /></Suspense>}
      </PageHead>
      {children.map((child) => <FamilyChild key={child.id} child={child} family={family} name={name} onName={setName} />)}
      <p className="fine-print">{`You see this because ${children.length === 1 ? 'the student names' : 'the students name'} ${family.email}. It stays open for a day.`}</p>
      <DoneButton end={endSession} queryKey={familyQuery().queryKey} onDone={onDone} />
    </div>
  );
}

export function waitsWords(asked: number): string {
  if (asked === 0) return 'No request waits for your answer.';
  return asked === 1 ? 'One request waits for your answer.' : `${asked} requests wait for your answer.`;
}
