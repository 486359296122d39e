// The page modules of the portals and of the account area.
import type { ComponentType } from 'react';
import type { Prefetch } from './accounts/guards.ts';

/** A page module: the component under the file's name, and its prefetch. */
export type PageFile = { [name: `${string}Page`]: ComponentType; prefetch?: Prefetch };
export type PageFiles = Record<string, () => Promise<PageFile>>;

export const portalPages: PageFiles = import.meta.glob<PageFile>([
  './**/*Page.tsx', '!./components/**', '!./website/*', '!./courses/Course{s,Details}Page.tsx', '!./messages/ContactPage.tsx', '!./admissions/ApplyPage.tsx',
]);
