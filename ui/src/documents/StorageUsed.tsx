// The used storage of a student, and what to do when it is full.
import type { DocumentUsage } from '../api-types.ts';
import { Notice } from '../components/Notice.tsx';
import { sizeText } from './file.ts';

/** Id of the message that says why nothing can be uploaded. */
export const noRoomId = 'no-room';

/** Undefined while loading and after a failure; the server then checks the limit. */
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
