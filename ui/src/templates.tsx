// The templates of the public pages, drawn under Node by the build (`scripts/write-templates.ts`).
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import type { Course, School } from './api-types.ts';
import { newQueryClient, seedQueries } from './boot.ts';
import { grades } from './courses/grades.ts';
import { type Page, pagesOf } from './pages.ts';
import { paths } from './paths.ts';
import { routes } from './routes.tsx';

const place = (name: string) => `{{ ${name} }}`;

const school: School = {
  name: place('school.name'),
  tagline: place('school.tagline'),
  inspectionId: place('school.inspectionId'),
  registrationNumber: place('school.registrationNumber'),
  foundedYear: place('school.foundedYear') as never,
  yearsOfTeaching: place('school.yearsOfTeaching') as never,
  address: {
    street: place('school.address.street'),
    city: place('school.address.city'),
    province: place('school.address.province'),
    postalCode: place('school.address.postalCode'),
  },
  phone: place('school.phone'),
  phoneLink: place('school.phoneLink'),
  email: place('school.email'),
  hours: place('school.hours'),
  mapLink: place('school.mapLink'),
  socialLinks: [{ name: place('link.name'), url: place('link.url') }],
  universities: [place('university')],
  timeZone: place('school.timeZone'),
  isSample: true,
};

const course = {
  id: 0,
  code: place('course.code'),
  name: place('course.name'),
  description: place('course.description'),
  prerequisite: place('course.prerequisite'),
  courseType: place('course.courseType') as never,
  isCompulsory: true,
  grade: place('course.grade') as never,
  price: null,
  credits: 1,
  isOpen: true,
} satisfies Course;

/** A page at one of its addresses; the one that is not found has no row in the table. */
export type Address = { address: string; page: Page['page'] | null };

const variants: { [path: string]: string[] } = {
  '/courses': grades.map((grade) => paths.courses(grade)),
  '/contact': [paths.messageSent],
};

export const addresses: Address[] = [
  ...pagesOf('public').flatMap(({ path, page }) =>
    [path, ...(variants[path] ?? [])].map((address) => ({ address, page })),
  ),
  { address: '/404', page: null },
];

/** The content of `#root` at an address. */
export async function draw(address: string): Promise<string> {
  const client = newQueryClient();
  seedQueries(client, { school, courses: [course], featured: [course] });
  const handler = createStaticHandler(routes(client));
  const context = await handler.query(new Request(`http://localhost${address}`));
  if (context instanceof Response) throw new Error(`${address} leads elsewhere`);
  const errors = Object.values(context.errors ?? {});
  if (errors.length > 0) throw errors[0];
  return renderToString(
    <StrictMode>
      <QueryClientProvider client={client}>
        <StaticRouterProvider router={createStaticRouter(handler.dataRoutes, context)} context={context} hydrate={false} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
