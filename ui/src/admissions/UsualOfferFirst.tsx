// Reads the usual offer before a dialog that begins with it.
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { Dialog } from '../components/Dialog.tsx';
import type { Elements } from '../components/elements.ts';
import { LoadFailed } from '../components/LoadFailed.tsx';
import { Spinner } from '../components/Spinner.tsx';
import { usualOfferQuery } from './decisions.ts';
import type { UsualOffer } from './wire.ts';

type UsualOfferFirstProps = { title: string; onClose: () => void; children: (usual: UsualOffer) => Elements };

export function UsualOfferFirst({ title, onClose, children }: UsualOfferFirstProps) {
  const usual = useQuery(usualOfferQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  if (usual.data) return <>{children(usual.data)}</>;
  return (
    <Dialog title={title} isWide onClose={onClose}>
      {usual.isError
        ? <LoadFailed words="The usual fee could not be loaded. Please try again." query={usual} heading={heading} />
        : <Spinner label="Loading the usual fee..." />}
    </Dialog>
  );
}
