// An email address in a narrow column: breaks after the @, and a long half after its dots.
import { Fragment } from 'react';

/** Longest unbroken part, in characters, before other columns are pushed away. */
const most_whole = 36;

export function EmailAddress({ address }: { address: string }) {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const mailbox = address.slice(0, address.length - domain.length);
  const pieces = [mailbox, domain].flatMap((half) => (half.length > most_whole ? half.split(/(?<=\.)/) : half));
  return (
    <bdi>
      {pieces.map((piece, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the pieces have nothing but their places
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {/* A single word that is too long breaks wherever it must. */}
          <span className={piece.length > most_whole ? undefined : 'email-part'}>{piece}</span>
        </Fragment>
      ))}
    </bdi>
  );
}
