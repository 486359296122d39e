// How much of a student's room is used, and what to do when nothing more fits.
import type { DocumentUsage } from '../api-types.ts';
import { Notice } from '../components/Notice.tsx';
import { sizeText } from './file.ts';

/** The id of what says why nothing can be uploaded. */
export const noRoomId = 'no-room';

/** Undefined while it loads, and when it cannot be had: then the server says so when something is uploaded. */
type Props = { usage: DocumentUsage | undefined };

export function StorageUsed({ usage }: Props) {
  return (
    <>
      <div id={noRoomId}><NoRoom usage={usage} /></div>
      <p className="muted room-left">{usage ? usedText(usage) : '\u00a0'}</p>
    </>
  );
}

export function NoRoom({ usage }: Props) {
  return usage?.refusal && <Notice kind="plain" title="There is no room for another document"><p>{usage.refusal}</p></Notice>;
}

function usedText({ files, bytes, maxFiles, maxBytes }: DocumentUsage): string {
  return `${files} of ${maxFiles} documents used, ${sizeText(bytes)} of ${sizeText(maxBytes)}.`;
}
