// Links of the office behind which the server may want it proved first who sits there. It is asked before they are
// followed: neither a download nor a new tab has a place for the question.
import type { MouseEvent, ReactNode } from 'react';
import { failureWords, getJson, isSignedOut } from '../api.ts';
import { showFailure, showToast } from './toasts.ts';
import { useAction } from './useAction.ts';

function showRefusal(error: Error) {
  if (!isSignedOut(error)) showFailure('That did not work', failureWords(error, 'Please try again in a moment.'));
}

/** A list or an archive as a file. */
export function DownloadLink({ href, className, children }: { href: string; className?: string; children: ReactNode }) {
  const checking = useAction({
    mutationFn: () => getJson('/api/user/proof'),
    onSuccess: () => {
      const link = document.createElement('a');
      link.href = href;
      link.download = '';
      link.click();
    },
    onError: showRefusal,
  });
  function save(event: MouseEvent) {
    event.preventDefault();
    checking.run();
  }
  return <a className={className} href={href} download onClick={save}>{children}</a>;
}

const documentProof = '/api/admin/documents/proof';

type DocumentLinkProps = { href: string; className?: string; label?: string; children: ReactNode };

/** A student's document in a tab of its own. */
export function DocumentLink({ href, className, label, children }: DocumentLinkProps) {
  const opening = useAction<void, Window>({
    mutationFn: async (tab) => {
      // Looked at by itself first: the question would stand in this page, and the new tab before it.
      const isOpen = await fetch(documentProof).then(({ ok }) => ok, () => false);
      if (isOpen) return;
      tab.close();
      await getJson(documentProof);
    },
    onSuccess: (_, first) => {
      const tab = first.closed ? window.open('', '_blank') : first;
      if (!tab) return showToast('Thank you', 'Please open the document again.');
      tab.opener = null;
      tab.location.replace(href);
    },
    onError: showRefusal,
  });
  function open(event: MouseEvent) {
    // A browser lets a page open a tab at the press or not at all; where it does not, the link is followed.
    const tab = event.ctrlKey || event.metaKey || event.shiftKey ? null : window.open('', '_blank');
    if (!tab) return;
    event.preventDefault();
    opening.run(tab);
  }
  return <a className={className} href={href} target="_blank" rel="noopener" aria-label={label} onClick={open}>{children}</a>;
}
