// The target of the verification link: verifies while the page loads.
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { AccountCard } from '../accounts/AccountCard.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { verificationQuery } from './queries.ts';
import { VerifyFailed } from './VerifyFailed.tsx';
import { VerifySucceeded } from './VerifySucceeded.tsx';

export function VerifyPage() {
  const { token } = useParams();
  return token ? <Verification key={token} token={token} /> : <VerifyFailed />;
}

function Verification({ token }: { token: string }) {
  const verification = useQuery(verificationQuery(token));

  if (verification.isPending) {
    return (
      <AccountCard icon="mail" title="Verify Your Email">
        <Spinner label="Verifying your email address..." />
      </AccountCard>
    );
  }
  if (verification.isError) return <VerifyFailed error={verification.error} query={verification} />;
  return <VerifySucceeded />;
}
