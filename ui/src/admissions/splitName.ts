// Proposes a first and a last name for a name in one field; the office corrects it.

/** Words that begin a last name: "Vincent van Gogh", "Ana de la Cruz". */
const particles = new Set(['af', 'al', 'bin', 'da', 'das', 'de', 'del', 'della', 'den', 'der', 'di', 'do', 'dos', 'du', 'el', 'ibn', 'la', 'le', 'ten', 'ter', 'van', 'von', 'zu']);

const words = (text: string) => text.split(/\s+/).filter(Boolean);

export function splitName(name: string): { firstName: string; lastName: string } {
  const [before = '', ...after] = name.split(',');
  // "Okonkwo, Amara"
  const given = words(after.join(' '));
  if (given.length > 0) return { firstName: given.join(' '), lastName: words(before).join(' ') };
  const all = words(before);
  const particle = all.findIndex((word, place) => place > 0 && particles.has(word));
  const start = particle > 0 && particle < all.length - 1 ? particle : Math.max(1, all.length - 1);
  return { firstName: all.slice(0, start).join(' '), lastName: all.slice(start).join(' ') };
}
