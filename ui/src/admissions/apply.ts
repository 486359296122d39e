// The application form: its words, what it sends, and the draft that the browser keeps.

/** "eng4u, MHF4U" → ["ENG4U", "MHF4U"]. */
export function courseCodes(words: string): string[] {
  return words.toUpperCase().split(/[^\w]+/).filter(Boolean);
}

/** What a page without scripts sends of itself. */
const pageFields = ['opened', 'askedBirthDate'];

/** The body of the call: what was left empty is not sent. */
export function applicationBody(typed: FormData): object {
  const given = Object.fromEntries([...typed].filter(([name, value]) => typeof value === 'string' && value.trim() !== '' && !pageFields.includes(name)));
  return { ...given, grade: Number(typed.get('grade')) || null, wantedCourses: courseCodes(String(typed.get('wantedCourses'))), consents: typed.getAll('consents') };
}

const draftKey = 'schoolhouse.application';

/** The draft lives as long as the tab; a shared computer keeps no trace of it. Without storage there is none. */
const storage = { read: () => sessionStorage.getItem(draftKey), keep: (words: string) => sessionStorage.setItem(draftKey, words), drop: () => sessionStorage.removeItem(draftKey) };

function attempt<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}

export function keepDraft(form: HTMLFormElement) {
  const typed = [...new FormData(form)].filter(([name]) => ![...pageFields, 'website', 'consents'].includes(name));
  attempt(() => storage.keep(JSON.stringify(Object.fromEntries(typed))));
}

export const dropDraft = () => void attempt(storage.drop);

/** Fills what is still empty with the draft. */
export function restoreDraft(form: HTMLFormElement) {
  const draft = attempt(() => JSON.parse(storage.read() ?? '{}') as Record<string, unknown>) ?? {};
  for (const [name, value] of Object.entries(draft)) {
    const field = form.elements.namedItem(name);
    const isField = field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement;
    if (isField && typeof value === 'string' && (field.value === '' || name === 'country')) field.value = value;
  }
}

/** The reference that `?sent=` names, or null. */
export function readReference(words: string | null): string | null {
  return words && /^A-\d{2}-[0-9A-Z]{4}$/.test(words) ? words : null;
}
