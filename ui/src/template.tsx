// Prerendering of public pages: the build renders each with placeholders (`{{ school.name }}`), which the server fills
// from the school's facts and the catalogue (`src/website/template.rs`). Components read facts as usual; only
// conditions and loops are written in the template language (minijinja).
import type { ReactElement } from 'react';
import type { Elements } from './components/elements.ts';

/** True while the build renders templates. Code behind it is removed from browser scripts. */
export const isTemplate = import.meta.env.MODE === 'template';

type WhenProps = { is: unknown; template: string; otherwise?: Elements; children: Elements };

/** Shows its children if `is` holds. `template` is the same condition; React would escape `<`, `>` and quotes in it. */
export function When({ is, template, otherwise = null, children }: WhenProps) {
  if (isTemplate) return <>{`{% if ${template} %}`}{children}{'{% else %}'}{otherwise}{'{% endif %}'}</>;
  return is ? children : otherwise;
}

/** A form, or the server's copy of it with what is wrong, after a browser without scripts sent it. */
export function PlainForm({ children }: { children: Elements }) {
  return isTemplate ? <When is template="form" otherwise={children}><>{'{{ form }}'}</></When> : children;
}

type EachProps<Item> = { of: readonly Item[]; template: string; children: (item: Item) => ReactElement };

/** Shows every item of a list, with keys. `template` is the loop: `course in courses`. */
export function Each<Item>({ of, template, children }: EachProps<Item>) {
  const items = of.map((item) => children(item));
  return isTemplate ? <>{`{% for ${template} %}`}{items}{'{% endfor %}'}</> : items;
}
