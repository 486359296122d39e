// The type of children that stand beside other content.
import type { ReactElement } from 'react';

/**
 * Elements, not bare text. A browser's page translation replaces text nodes by its own elements, and React then cannot
 * change or remove them: text needs an element of its own.
 */
export type Elements = ReactElement | readonly Elements[] | '' | boolean | null | undefined;
