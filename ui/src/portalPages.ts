// The pages of the portals and of the ways into an account.
import type { ComponentType } from 'react';
import type { Prefetch } from './accounts/guards.ts';

/** What the file of a page exports: the page under the file's name, and what to ask for meanwhile. */
export type PageFile = { [name: `${string}Page`]: ComponentType; prefetch?: Prefetch };
export type PageFiles = Record<string, () => Promise<PageFile>>;

export const portalPages: PageFiles = import.meta.glob<PageFile>([
  './*/*Page.tsx', '!./components/*', '!./website/*', '!./courses/Course{s,Details}Page.tsx', '!./messages/ContactPage.tsx',
]);
