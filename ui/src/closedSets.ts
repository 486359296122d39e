// Closed sets of words: states, types, kinds. Their words come from the server's own description
// (openapi.ts). What the interface says of each stands in tables `satisfies Record<Set, …>`, so that a
// word that is missing or that nobody knows does not compile. Lists of the words are read off a table.

/** The colour of a badge. */
export type Tone = 'green' | 'yellow' | 'red' | 'blue' | 'brass' | 'plain';

type Table<Word extends string, Value = unknown> = Readonly<Record<Word, Value>>;

/** The words of a table, in its order. */
export function wordsOf<Word extends string>(table: Table<Word>): Word[] {
  return Object.keys(table) as Word[];
}

/** The word that an address names, or '' when it names none of them. */
export function readWord<Word extends string>(table: Table<Word>, text: string | null): Word | '' {
  return wordsOf(table).find((word) => word === text) ?? '';
}

/** What a select offers: each word under its label. */
export function optionsOf<Word extends string>(labels: Table<Word, string>): { value: Word; label: string }[] {
  return wordsOf(labels).map((value) => ({ value, label: labels[value] }));
}
