// Public pages are drawn ahead of time: the build renders each of them with places in it (`{{ school.name }}`), and the
// server fills those from the school's facts and the catalogue (`src/website/template.rs`). A component reads facts as
// it always does; only where it chooses or repeats does it say so in the template's words (minijinja's).
import type { ReactElement } from 'react';
import type { Elements } from './components/elements.ts';

/** True while the build draws the templates. A browser's scripts hold nothing of what stands behind it. */
export const isTemplate = import.meta.env.MODE === 'template';

type WhenProps = { is: unknown; template: string; otherwise?: Elements; children: Elements };

/** Shows its children if `is` holds. `template` is the same condition; React would escape `<`, `>` and quotes in it. */
export function When({ is, template, otherwise = null, children }: WhenProps) {
  if (isTemplate) return <>{`{% if ${template} %}`}{children}{'{% else %}'}{otherwise}{'{% endif %}'}</>;
  return is ? children : otherwise;
}

type EachProps<Item> = { of: readonly Item[]; template: string; children: (item: Item) => ReactElement };

/** Shows every item of a list, each with its key. `template` says what is gone through: `course in courses`. */
export function Each<Item>({ of, template, children }: EachProps<Item>) {
  const items = of.map((item) => children(item));
  return isTemplate ? <>{`{% for ${template} %}`}{items}{'{% endfor %}'}</> : items;
}
