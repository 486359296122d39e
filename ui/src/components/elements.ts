// What a component may be given to show beside something else.
import type { ReactElement } from 'react';

/**
 * Elements, not bare text. A browser's page translation replaces each text of the page by elements of its own, and React
 * then cannot change or remove that text: it has to stand in an element that nothing else shares.
 */
export type Elements = ReactElement | readonly Elements[] | '' | boolean | null | undefined;
