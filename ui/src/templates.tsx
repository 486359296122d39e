// The templates of all pages, drawn under Node by the build (`scripts/write-templates.ts`).
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import { studentQuery, userQuery } from './accounts/signedIn.ts';
import type { ArchivedCourse, Course, CourseDetails, CourseLink, OneCourse, Picture, School, SchoolText, Student, TextKind, User } from './api-types.ts';
import { newQueryClient, seedQueries } from './boot.ts';
import { grades } from './courses/grades.ts';
import { type Area, type Page, pages } from './pages.ts';
import { paths } from './paths.ts';
import { routes } from './routes.tsx';

const place = (name: string) => `{{ ${name} }}`;

const picture = (name: string): Picture => ({
  src: place(`${name}.src`),
  srcset: place(`${name}.srcset`),
  width: place(`${name}.width`) as never,
  height: place(`${name}.height`) as never,
  alt: place(`${name}.alt`),
});

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
  questions: [{ question: place('each.question'), answer: place('each.answer') }],
  pictures: {
    hero: picture('school.pictures.hero'),
    campus: [picture('picture')],
    people: [{ name: place('person.name'), role: place('person.role'), picture: picture('person.picture') }],
  },
  semesters: [
    {
      name: place('school.semesters[0].name'),
      startDate: place('school.semesters[0].startDate'),
      endDate: place('school.semesters[0].endDate'),
      joinUntil: place('school.semesters[0].joinUntil'),
      startText: place('school.semesters[0].startText'),
      whenText: place('school.semesters[0].whenText'),
    },
  ],
  showFees: true,
  showSeats: true,
  texts: [{ kind: 'terms', version: '', title: place('each.title'), url: `/${place('each.path')}` }],
  timeZone: { name: place('school.timeZone.name'), offsets: [] },
  isSample: true,
  isNamed: true,
};

const course = {
  id: 0,
  code: place('course.code'),
  name: place('course.name'),
  description: place('course.description'),
  prerequisite: place('course.prerequisite'),
  subject: place('course.subject') as never,
  courseType: place('course.courseType') as never,
  level: place('course.level') as never,
  isCompulsory: true,
  grade: place('course.grade') as never,
  price: null,
  credits: 1,
  isOpen: true,
} satisfies Course;

const link = (name: string): CourseLink => ({
  code: place(`${name}.code`),
  name: place(`${name}.name`),
  grade: place(`${name}.grade`) as never,
  courseType: place(`${name}.courseType`) as never,
  level: place(`${name}.level`) as never,
});

const details: CourseDetails = {
  ...course,
  levelName: place('course.levelName'),
  credits: place('course.credits') as never,
  hours: place('course.hours') as never,
  priceText: place('course.priceText'),
  codeParts: [{ characters: place('part.characters'), meaning: place('part.meaning'), value: place('part.value') }],
  prerequisites: {
    words: place('course.prerequisites.words'),
    items: [{ code: place('item.code'), course: link('item.course'), note: place('item.note') }],
  },
  usualWay: [link('step')],
  leadsTo: [link('link')],
  sections: [
    {
      id: place('section.id') as never,
      term: { id: 0, name: place('section.term.name') },
      label: place('section.label'),
      kind: place('section.kind') as never,
      delivery: place('section.delivery') as never,
      startsOn: '',
      endsOn: '',
      joinUntil: '',
      teacherName: place('section.teacherName'),
      meetings: [],
      timeZone: '',
      price: null,
      seatsLeft: null,
      isOpen: true,
      deliveryText: place('section.deliveryText'),
      whenText: place('section.whenText'),
      datesText: place('section.datesText'),
      joinText: place('section.joinText'),
      priceText: place('section.priceText'),
      seatsText: place('section.seatsText'),
    },
  ],
};

const archived: ArchivedCourse = {
  code: place('course.code'),
  name: place('course.name'),
  grade: place('course.grade') as never,
  advice: place('course.advice'),
  successors: [link('link')],
};

const text = (kind: TextKind): SchoolText => ({
  kind,
  version: '',
  title: place('text.title'),
  url: '',
  updated: place('text.updated'),
  lead: place('text.lead'),
  sections: [{ id: place('section.id'), name: place('section.name'), heading: place('section.heading'), blocks: [{ isList: true, lines: [[{ words: place('part.words'), isStrong: true, to: place('part.to') }]] }] }],
  text: '',
});

const textKinds: { [path: string]: TextKind } = {
  [paths.terms]: 'terms',
  [paths.privacy]: 'privacy',
  [paths.refunds]: 'refunds',
  [paths.howToPay]: 'how_to_pay',
};

/** The signed-in person; the frames show nothing about them. */
const student = { id: 0, email: '', hasSecondFactor: false } as Student;
const user = { id: 0, username: '', role: '', duties: [], hasSecondFactor: false, needsSecondFactor: false } as unknown as User;

/** Pages outside the public area whose forms work without scripts. */
const plain = new Set([
  'students/AuthPage', 'students/ForgotPasswordPage', 'students/ResetPasswordPage', 'students/ChoosePasswordPage',
  'admissions/LostLinkPage', 'staff/LoginPage', 'staff/ForgotPasswordPage', 'staff/ResetPasswordPage',
]);

/** A page at one of its addresses; the one that is not found has no row in the table. */
export type Address = { address: string; area: Area; page: Page['page'] | null; isPlain: boolean };

const variants: { [path: string]: string[] } = {
  '/courses': grades.map((grade) => paths.courses(grade)),
  '/courses/:code': ['code', 'gone', 'unknown'].map(paths.course),
  '/contact': [paths.messageSent],
  '/apply': [paths.applied('')],
  '/application': [paths.applicationLinkSent],
  '/student/auth': [paths.studentRegister, paths.studentVerified],
  '/student/forgot-password': [`${paths.forgotPassword}?sent`],
  '/student/reset-password/:token': [paths.passwordChanged],
  '/admin/forgot-password': [`${paths.adminForgotPassword}?sent`],
  '/admin/reset-password/:token': [paths.adminPasswordChanged],
};

export const addresses: Address[] = [
  ...pages.flatMap(({ area, path, page }) => {
    const own = area === 'public' && path.includes(':') ? [] : [path.replaceAll(/[:?]/g, '')];
    return [...own, ...(variants[path] ?? [])].map((address) => ({ address, area, page, isPlain: area === 'public' || (plain.has(page) && address !== paths.studentRegister) }));
  }),
  { address: '/404', area: 'public', page: null, isPlain: true },
];

/** The cases of a course page; other pages have none. */
const one: { [path: string]: OneCourse } = { [paths.course('code')]: details, [paths.course('gone')]: archived };

/** The content of `#root` at an address. */
export async function draw(address: string): Promise<string> {
  const client = newQueryClient();
  const path = address.replace(/\?.*/, '');
  const kind = textKinds[path];
  client.setQueryData(studentQuery.queryKey, student);
  client.setQueryData(userQuery.queryKey, user);
  seedQueries(client, { school, courses: [course], featured: { courses: [course], total: place('offered') as never }, course: one[path], text: kind && text(kind) }, path);
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
