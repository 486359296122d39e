// The draft as the page's fields hold it: conversion from and to the server's shape, and merging with a colleague's
// changes.
import type { Day, Settings, SettingsInput } from '../api-types.ts';
import { factNames } from './facts.ts';

/** A list row with a stable key. */
export type Row<Fields> = Fields & { key: number };

export type Announcement = { text: string; linkText: string; linkTo: string; from: string; until: string };
export type HoursRow = Row<{ days: Day[]; opens: string; closes: string }>;
export type QuestionRow = Row<{ question: string; answer: string }>;
export type PictureDraft = { picture: string; alt: string };
export type SemesterRow = Row<{ name: string; startDate: string; endDate: string; joinUntil: string }>;
export type PersonRow = Row<{ picture: string; name: string; role: string }>;

/** Facts as typed; empty means from the configuration. */
export type FactsDraft = Record<keyof Settings['facts'], string>;

export type Draft = {
  facts: FactsDraft;
  /** Null means the built-in text, or none. */
  texts: Settings['texts'];
  banner: Announcement;
  questions: QuestionRow[];
  hours: HoursRow[];
  /** One per line; null means from the configuration. */
  universities: string | null;
  /** Empty if not set. */
  colours: { main: string; accent: string };
  crest: string | null;
  hero: PictureDraft | null;
  campus: Row<PictureDraft>[];
  people: PersonRow[];
  semesters: SemesterRow[];
  showFees: boolean;
  showSeats: boolean;
  /** Null means from the configuration. */
  everyGuardianConfirms: boolean | null;
  waitingEmail: boolean;
};

export type Part = keyof Draft;
/** The parts that are lists. */
export type ListPart = 'semesters' | 'questions' | 'hours' | 'campus' | 'people';

/** The server's keys of the parts, in page order. */
export const partNames: Record<Part, string> = {
  facts: 'School facts',
  texts: 'Texts',
  banner: 'Announcement',
  semesters: 'Semesters',
  showFees: 'Fees on the website',
  showSeats: 'Seats on the website',
  questions: 'Questions',
  hours: 'Hours',
  universities: 'Universities',
  colours: 'Colours',
  crest: 'Crest',
  hero: 'Hero picture',
  campus: 'Campus pictures',
  people: 'People',
  everyGuardianConfirms: 'Guardians',
  waitingEmail: 'Weekday email',
};

const parts = Object.keys(partNames) as Part[];

let lastKey = 0;

export function newRow<Fields>(fields: Fields): Row<Fields> {
  lastKey += 1;
  return { ...fields, key: lastKey };
}

export const noAnnouncement: Announcement = { text: '', linkText: '', linkTo: '', from: '', until: '' };

export function toDraft({ banner, colour, accent, ...settings }: Settings): Draft {
  return {
    facts: Object.fromEntries(factNames.map((name) => [name, String(settings.facts[name] ?? '')])) as FactsDraft,
    texts: settings.texts,
    banner: banner
      ? { text: banner.text, linkText: banner.link?.text ?? '', linkTo: banner.link?.to ?? '', from: banner.from ?? '', until: banner.until ?? '' }
      : noAnnouncement,
    questions: settings.questions.map(newRow),
    hours: settings.hours.map(newRow),
    universities: settings.universities?.join('\n') ?? null,
    colours: { main: colour ?? '', accent: accent ?? '' },
    crest: settings.crest,
    hero: settings.hero,
    campus: settings.campus.map(newRow),
    people: settings.people.map(newRow),
    semesters: settings.semesters.map(newRow),
    showFees: settings.showFees,
    showSeats: settings.showSeats,
    everyGuardianConfirms: settings.everyGuardianConfirms,
    waitingEmail: settings.waitingEmail,
  };
}

/** Non-empty lines, whose indexes are the server's. */
export const linesOf = (text: string) => text.split('\n').map((line) => line.trim()).filter(Boolean);

/** Normalizes a typed colour: any case, with or without "#". */
export function colourOf(text: string): string | null {
  const typed = text.trim().toLowerCase();
  return typed === '' ? null : `#${typed.replace(/^#/, '')}`;
}

/** Keeps an invalid number as text: the server reports it. */
const yearOf = (text: string) => (text.trim() === '' ? null : ((Number(text) || text) as number));

const isBlank = (fields: object) => Object.values(fields).every((value) => value === '');

/** A row without its key, which is only the page's. */
const bare = <Fields extends { key: number }>(row: Fields): Omit<Fields, 'key'> => Object.assign({ ...row }, { key: undefined });

/** Conversion of each part to the server's shape. */
const wire: { [P in Part]: (draft: Draft) => SettingsInput } = {
  texts: ({ texts }) => ({ texts }),
  facts: ({ facts }) => ({
    facts: { ...Object.fromEntries(factNames.map((name) => [name, facts[name].trim() || null])), foundedYear: yearOf(facts.foundedYear) },
  }),
  banner: ({ banner }) => ({ banner: isBlank(banner) ? null : { ...banner, from: banner.from || null, until: banner.until || null } }),
  questions: ({ questions }) => ({ questions: questions.map(bare) }),
  hours: ({ hours }) => ({ hours: hours.map(bare) }),
  universities: ({ universities }) => ({ universities: universities === null ? null : linesOf(universities) }),
  colours: ({ colours }) => ({ colour: colourOf(colours.main), accent: colourOf(colours.accent) }),
  crest: ({ crest }) => ({ crest }),
  hero: ({ hero }) => ({ hero }),
  campus: ({ campus }) => ({ campus: campus.map(bare) }),
  people: ({ people }) => ({ people: people.map(bare) }),
  semesters: ({ semesters }) => ({ semesters: semesters.map(bare) }),
  showFees: ({ showFees }) => ({ showFees }),
  showSeats: ({ showSeats }) => ({ showSeats }),
  everyGuardianConfirms: ({ everyGuardianConfirms }) => ({ everyGuardianConfirms }),
  waitingEmail: ({ waitingEmail }) => ({ waitingEmail }),
};

export function toInput(draft: Draft): SettingsInput {
  return Object.assign({}, ...parts.map((part) => wire[part](draft))) as SettingsInput;
}

const isSamePart = (part: Part, one: Draft, other: Draft) => JSON.stringify(wire[part](one)) === JSON.stringify(wire[part](other));

export const isSame = (one: Draft, other: Draft) => parts.every((part) => isSamePart(part, one, other));

/**
 * Merges the draft with the server's current one: parts changed only there are taken, parts changed here are kept;
 * `both` lists the parts changed on both sides.
 */
export function merge(base: Draft, mine: Draft, theirs: Draft): { draft: Draft; both: Part[] } {
  const isMine = (part: Part) => !isSamePart(part, mine, base);
  const isTheirs = (part: Part) => !isSamePart(part, theirs, base);
  return {
    draft: takeParts(mine, theirs, parts.filter((part) => isTheirs(part) && !isMine(part))),
    both: parts.filter((part) => isMine(part) && isTheirs(part) && !isSamePart(part, mine, theirs)),
  };
}

/** A draft with some parts taken from another. */
export function takeParts(draft: Draft, from: Draft, chosen: readonly Part[]): Draft {
  return { ...draft, ...Object.fromEntries(chosen.map((part) => [part, from[part]])) };
}

export function moveRow<Item>(rows: readonly Item[], from: number, to: number): Item[] {
  const [row, others] = [rows[from], rows.toSpliced(from, 1)];
  return row === undefined || to < 0 || to > others.length ? [...rows] : others.toSpliced(to, 0, row);
}
