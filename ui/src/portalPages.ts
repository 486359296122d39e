// The pages of the portals and of the ways into an account.
import type { PageFile, PageFiles } from './routes.tsx';

export const portalPages: PageFiles = import.meta.glob<PageFile>([
  './*/*Page.tsx', '!./components/*', '!./school/*', '!./courses/Course{s,Details}Page.tsx', '!./messages/ContactPage.tsx',
]);
