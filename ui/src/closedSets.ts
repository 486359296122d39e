// Closed sets of words: states, types, kinds. Their words come from the server's own description
// (openapi.ts). Labels and colours are tables `satisfies Record<Set, …>`, so that a
// missing or unknown word does not compile. Lists are derived from a table's keys.

/** The colour of a badge. */
export type Tone = 'green' | 'yellow' | 'red' | 'blue' | 'brass' | 'plain';

type Table<Word extends string, Value = unknown> = Readonly<Record<Word, Value>>;

/** A table's keys, in order. */
export function wordsOf<Word extends string>(table: Table<Word>): Word[] {
  return Object.keys(table) as Word[];
}

/** The key in a query parameter, or '' if it is none of them. */
export function readWord<Word extends string>(table: Table<Word>, text: string | null): Word | '' {
  return wordsOf(table).find((word) => word === text) ?? '';
}

/** Options of a select. */
export function optionsOf<Word extends string>(labels: Table<Word, string>): { value: Word; label: string }[] {
  return wordsOf(labels).map((value) => ({ value, label: labels[value] }));
}
