// The sections of a term as a sheet that is edited in place: Enter saves and goes down, Esc cancels.
import { Link } from 'react-router';
import { useUser } from '../accounts/signedIn.ts';
import { ApiError, failureWords } from '../api.ts';
import type { OfficeSection, SectionInput } from '../api-types.ts';
import { optionsOf } from '../closedSets.ts';
import { ActionMenu, type MenuItem } from '../components/ActionMenu.tsx';
import { EditCell } from '../components/EditCell.tsx';
import { FilterSelect } from '../components/FilterSelect.tsx';
import { type Column, Table } from '../components/Table.tsx';
import { showToast } from '../components/toasts.ts';
import { priceProblem, readPrice } from '../courses/price.ts';
import { dateText, today } from '../dates.ts';
import { deliveries, hoursText, sectionKinds } from '../meetings.ts';
import { moneyText } from '../money.ts';
import { officePaths } from '../officePaths.ts';
import { sectionRowId } from './Clashes.tsx';
import { readHours } from './hours.ts';
import { changeSection, restoreClass } from './queries.ts';
import { seatsProblem } from './sectionSchema.ts';
import { type SectionAct, type NotifiedChange, toldOf } from './told.ts';
import { clashText, nameOf, seatsText, sectionStatuses, tellFailure } from './words.ts';

type SectionTableProps = {
  sections: readonly OfficeSection[];
  mayChange: boolean;
  onChanged: (saved: OfficeSection, told: NotifiedChange | null) => void;
  onAsk: (act: SectionAct, section: OfficeSection) => void;
};

export function SectionTable({ sections, mayChange, onChanged, onAsk }: SectionTableProps) {
  const { duties } = useUser();
  const save = async (section: OfficeSection, input: SectionInput) => {
    const saved = await changeSection(section, input);
    onChanged(saved, toldOf(section, saved));
  };
  return (
    <Table
      labelledBy="sections"
      className="section-table"
      rows={sections}
      name={nameOf}
      isDone={({ status }) => status === 'cancelled'}
      columns={columnsOf(save, { mayChange, mayPrice: mayChange || duties.includes('money') }, { onAsk, onChanged })}
    />
  );
}

type SaveSection = (section: OfficeSection, input: SectionInput) => Promise<void>;
type Column_ = Column<OfficeSection>;
type SectionActions = Pick<SectionTableProps, 'onAsk' | 'onChanged'>;

function columnsOf(save: SaveSection, { mayChange, mayPrice }: { mayChange: boolean; mayPrice: boolean }, acts: SectionActions): Column_[] {
  const text = (name: string, section: OfficeSection, shown: string, typed: string, problem: (text: string) => string | null, input: (text: string) => SectionInput, isNumber = false) => (
    <EditCell
      label={`${name} of ${nameOf(section)}`}
      text={typed}
      isInSheet
      inputMode={isNumber ? 'decimal' : 'text'}
      problem={problem}
      save={(value) => save(section, input(value.trim()))}
      said={said}
    >
      {shown ? <span dir="auto" title={shown}>{shown}</span> : <span className="muted">Not set</span>}
    </EditCell>
  );
  const select = <Word extends string>(name: string, section: OfficeSection, labels: Record<Word, string>, value: Word, input: (word: Word) => SectionInput) => (
    <FilterSelect
      label={`${name} of ${nameOf(section)}`}
      options={optionsOf(labels)}
      value={value}
      onChange={(word) => void save(section, input(word as Word)).catch(tellFailure)}
    />
  );
  const isFixed = ({ status }: OfficeSection) => !mayChange || status === 'cancelled';
  const facts: Column_[] = [
    {
      label: 'Course',
      place: 'lead',
      cell: ({ id, courseId, courseCode, courseName, kind, clashes, ...section }) => (
        <span id={sectionRowId(id)} tabIndex={-1}>
          <Link to={officePaths.course(courseId)} title={courseName}>{courseCode}</Link>
          {kind === 'upgrade' && <small>{` ${sectionKinds.upgrade}`}</small>}
          {clashes.length > 0 && <small className="flag" title={clashes.map(clashText).join('; ')}>{' Clash'}</small>}
          {comingCancelled(section).length > 0 && <small className="flag" title={comingCancelled(section).map(noClassText).join('; ')}>{' No class'}</small>}
        </span>
      ),
      folded: (section) => `${section.label} · ${sectionStatuses[section.status]}`,
    },
    {
      label: 'Label',
      from: 'tablet',
      cell: (section) => (isFixed(section) ? section.label : text('Label', section, section.label, section.label, (value) => (value.trim() ? null : 'Label is required'), (label) => ({ label }))),
    },
    {
      label: 'Delivery',
      from: 'desk',
      cell: (section) => (isFixed(section) ? deliveries[section.delivery] : select('Delivery', section, deliveries, section.delivery, (delivery) => ({ delivery }))),
    },
    {
      label: 'Days and hours',
      cell: (section) => {
        const hours = hoursText(section.meetings);
        if (isFixed(section)) return hours || '–';
        return text('Days and hours', section, hours, hours, hoursProblem, (value) => {
          const read = readHours(value, section.meetings);
          return { meetings: 'meetings' in read ? read.meetings : [] };
        });
      },
    },
    {
      label: 'Teacher',
      from: 'tablet',
      cell: (section) => (isFixed(section) ? section.teacherName : text('Teacher', section, section.teacherName ?? '', section.teacherName ?? '', () => null, (teacherName) => ({ teacherName: teacherName || null }))),
    },
    {
      label: 'Seats',
      isNumber: true,
      from: 'tablet',
      cell: (section) => (
        <>
          {isFixed(section) ? <span>{seatsText(section)}</span> : text('Seats', section, seatsText(section), String(section.capacity ?? ''), seatsProblem, (value) => ({ capacity: value ? Number(value) : null }), true)}
          {section.waiting > 0 && <small>{` · ${section.waiting} waiting`}</small>}
        </>
      ),
    },
    {
      label: 'Price',
      isNumber: true,
      from: 'desk',
      cell: (section) => {
        const shown = section.price === null ? 'Course’s' : moneyText(section.price, '');
        return mayPrice && section.status !== 'cancelled'
          ? text('Price', section, shown, section.price === null ? '' : Number(section.price).toFixed(2), priceProblem, (value) => ({ price: readPrice(value) }), true)
          : shown;
      },
    },
    {
      label: 'Status',
      from: 'tablet',
      cell: (section) => {
        const { cancelled, ...open } = sectionStatuses;
        if (section.status === 'cancelled') return <span className="badge tone-red">{cancelled}</span>;
        return mayChange ? select('Status', section, open, section.status, (status) => ({ status })) : sectionStatuses[section.status];
      },
    },
  ];
  if (!mayChange) return facts;
  return [...facts, { label: 'Actions', place: 'action', cell: (section) => <ActionMenu label={`More about ${nameOf(section)}`} isCompact items={actsOf(section, acts)} /> }];
}

/** A section with students is cancelled, never deleted. */
function actsOf(section: OfficeSection, { onAsk, onChanged }: SectionActions): MenuItem[] {
  const item = (label: string, act: SectionAct, isDangerous = false): MenuItem => ({ label, isDangerous, onPress: () => onAsk(act, section) });
  const restore = (one: CancelledClass): MenuItem => ({
    label: `Hold the class on ${classText(one)} after all`,
    onPress: () => void restoreClass(section.id, one).then((saved) => {
      showToast('Class restored', `The class on ${classText(one)} takes place.`);
      onChanged(saved, toldOf(section, saved, `the class on ${classText(one)} takes place`));
    }, tellFailure),
  });
  const isEmpty = section.taken === 0 && section.waiting === 0;
  return [
    ...(section.status === 'cancelled' ? [] : [
      item('Edit…', 'edit'),
      ...(section.meetings.length > 0 ? [item('Cancel one class…', 'class')] : []),
      ...comingCancelled(section).map(restore),
      item('Cancel section…', 'cancel', true),
    ]),
    ...(isEmpty ? [item('Delete…', 'delete', true)] : []),
  ];
}

type CancelledClass = OfficeSection['cancelledClasses'][number];

/** Cancelled classes that can still be held after all. */
const comingCancelled = ({ cancelledClasses }: Pick<OfficeSection, 'cancelledClasses'>) => cancelledClasses.filter(({ date }) => date >= today());

const classText = ({ date, startsAt }: CancelledClass) => [dateText(date, ''), startsAt].filter(Boolean).join(', ');

const noClassText = (one: CancelledClass) => `No class on ${classText(one)}: ${one.reason}`;

function hoursProblem(text: string): string | null {
  const read = readHours(text, []);
  return 'problem' in read ? read.problem : null;
}

function said(error: unknown): string {
  const field = error instanceof ApiError && Object.values(error.fields)[0];
  return field || failureWords(error, 'It could not be saved. Please try again.');
}
