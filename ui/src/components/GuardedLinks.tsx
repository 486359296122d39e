// Office links whose targets may require a confirmed identity. It is requested before the link is followed, since a
// download or a new tab cannot show the dialog.
import type { MouseEvent, ReactNode } from 'react';
import { failureWords, getJson, isSignedOut } from '../api.ts';
import { sheetAddress } from './sheetStyle.ts';
import { showFailure, showToast } from './toasts.ts';
import { useAction } from './useAction.ts';

function showRefusal(error: Error) {
  if (!isSignedOut(error)) showFailure('That did not work', failureWords(error, 'Please try again in a moment.'));
}

/** A download link; a list is written for the spreadsheet program that this browser remembers. */
export function DownloadLink({ href, className, children }: { href: string; className?: string; children: ReactNode }) {
  const checking = useAction({
    mutationFn: () => getJson('/api/user/proof'),
    onSuccess: () => {
      const link = document.createElement('a');
      link.href = sheetAddress(href);
      link.download = '';
      link.click();
    },
    onError: showRefusal,
  });
  function save(event: MouseEvent) {
    event.preventDefault();
    checking.run();
  }
  return <a className={className} href={sheetAddress(href)} download onClick={save}>{children}</a>;
}

const documentProof = '/api/admin/documents/proof';

type DocumentLinkProps = { href: string; className?: string; label?: string; children: ReactNode };

/** A link that opens a student's document in a new tab. */
export function DocumentLink({ href, className, label, children }: DocumentLinkProps) {
  const opening = useAction<void, Window>({
    mutationFn: async (tab) => {
      // Check first: the dialog opens in this page, behind the new tab.
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
    // Browsers allow opening a tab only during the press; otherwise follow the link.
    const tab = event.ctrlKey || event.metaKey || event.shiftKey ? null : window.open('', '_blank');
    if (!tab) return;
    event.preventDefault();
    opening.run(tab);
  }
  return <a className={className} href={href} target="_blank" rel="noopener" aria-label={label} onClick={open}>{children}</a>;
}
