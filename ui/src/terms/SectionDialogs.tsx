// The dialogs about a section: add or edit, cancel it or one class, delete it.
import type { OfficeSection } from '../api-types.ts';
import { CancelClassDialog, CancelSectionDialog, DeleteSectionDialog } from './CancelDialogs.tsx';
import { SectionDialog } from './SectionDialog.tsx';
import type { SectionAct, SectionDialogProps } from './told.ts';

type Props = Omit<SectionDialogProps, 'section'> & ({ kind: SectionAct; section: OfficeSection } | { kind: 'add'; section: null });

export function SectionDialogs(props: Props) {
  const { term, onChanged, onClose } = props;
  if (props.section === null) return <SectionDialog section={null} term={term} onChanged={onChanged} onClose={onClose} />;
  const rest = { section: props.section, term, onChanged, onClose };
  switch (props.kind) {
    case 'edit': return <SectionDialog {...rest} />;
    case 'cancel': return <CancelSectionDialog {...rest} />;
    case 'class': return <CancelClassDialog {...rest} />;
    case 'delete': return <DeleteSectionDialog {...rest} />;
  }
}
