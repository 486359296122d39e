// A hint on a new password's strength, which refuses nothing. What the
// server would refuse comes first (src/base/password); a test there holds the list below against its own.

/** The most common of the 23,000 passwords that the server refuses. */
export const commonWords =
  'password passwort abcd abcdef abcdefgh qwer asdf qwerty qwertyuiop asdfgh asdfghjkl zxcvbnm qazwsx letmein welcome iloveyou monkey dragon sunshine princess football baseball basketball soccer hockey master shadow superman batman pokemon starwars michael jordan jennifer jessica ashley charlie daniel thomas hunter freedom whatever secret computer internet samsung google facebook summer winter flower butterfly chocolate cheese cookie banana orange purple silver diamond angel lovely hello killer ginger pepper tigger buster maggie canada toronto school student teacher changeme default administrator'.split(' ');

export type Level = 0 | 1 | 2 | 3 | 4;
export type Strength = { level: Level; label: string; advice: string };

const labels = ['', 'Weak', 'Fair', 'Good', 'Strong'] as const;
const rows = 'qwertyuiop poiuytrewq asdfghjkl lkjhgfdsa zxcvbnm mnbvcxz 890 098'.split(' ');
const lookAlikes: Record<string, string> = { '@': 'a', 4: 'a', 3: 'e', 1: 'i', '!': 'i', 0: 'o', $: 's', 5: 's', 7: 't' };

/** `own` is public knowledge: the school's name, the email, the username. The program's name is always included. */
export function passwordStrength(password: string, own: string[] = []): Strength {
  const chars = [...password.toLowerCase()];
  if (chars.length === 0) {
    return { level: 0, label: '', advice: 'Three or four unrelated words are hard to guess and easy to remember.' };
  }
  if (chars.length < 8) {
    const missing = 8 - chars.length;
    return said(0, 'Too short', `${missing} more character${missing === 1 ? '' : 's'}, at least.`);
  }
  const typed = chars.join('');
  const cores = [trimmed(typed), spelled(trimmed(typed)), trimmed(spelled(typed))].map(plain);
  if (cores.some((word) => commonWords.includes(word))) {
    return said(0, 'Easy to guess', 'It is one of the most common passwords, or close to one.');
  }
  const names = ['schoolhouse', ...own].flatMap(namesOf);
  const text = plain(password);
  if (cores.some((word) => names.includes(word)) || names.includes(text)) {
    return said(0, 'Easy to guess', 'It is made from a name that is easy to find out.');
  }
  const period = chars.findIndex((_, at) => at > 0 && chars.every((char, index) => char === chars[index % at]));
  const once = period > 0 ? chars.slice(0, period) : chars;
  const following = once.filter((_, at) => follows(once, at)).length;
  const known = [...commonWords, ...names].filter((word) => word.length > 3 && text.includes(word));
  // A common word is worth about two random characters.
  const worth = once.length - 0.75 * following - known.reduce((sum, word) => sum + word.length - 2, 0);
  const level: Level = worth >= 16 ? 4 : worth >= 12 ? 3 : worth >= 9 ? 2 : 1;
  if (level >= 3) return said(level, labels[level], level === 4 ? 'Hard to guess.' : 'One more word makes it strong.');
  if (names.some((name) => known.includes(name))) return said(level, labels[level], 'Leave out names and the email address.');
  if (period > 0) return said(level, labels[level], 'Repeating it adds little.');
  if (following > 3) return said(level, labels[level], 'Avoid sequences like 1234, abcd or aaaa.');
  if (known.length > 0) return said(level, labels[level], 'Add an unrelated word.');
  return said(level, labels[level], 'Add a word or two.');
}

const said = (level: Level, label: string, advice: string): Strength => ({ level, label, advice });

/** With look-alikes replaced by letters. */
const spelled = (text: string) => text.replace(/[@431!0$57]/g, (char) => lookAlikes[char] ?? char);

/** Without the digits and the punctuation around it. */
const trimmed = (text: string) => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** A name as it may occur in a password: whole, without the part after the @, and each longer word. */
function namesOf(text: string): string[] {
  const words = [...text.toLowerCase().split(/[^\p{L}]+/u), ...text.split(/[@.]/).map(plain)].filter((word) => word.length > 3);
  return [...new Set([...words, plain(text), plain(text.split('@')[0] ?? '')])].filter((name) => name.length > 2);
}

/** Whether a character continues the sequence of the two before it: aaa, abc, 321, qwe. */
function follows(chars: string[], at: number): boolean {
  const [first, second, third] = chars.slice(Math.max(at - 2, 0), at + 1);
  if (at < 2 || !first || !second || !third) return at === 1 && first === second;
  const [one, two, three] = [first, second, third].map((char) => char.codePointAt(0) ?? 0) as [number, number, number];
  if (Math.abs(three - two) <= 1 && three - two === two - one) return true;
  const part = first + second + third;
  return rows.some((row) => row.includes(part));
}
