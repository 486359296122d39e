import { expect, it } from 'vitest';
import { noAnnouncement } from './draft.ts';
import { mayRetry, pictureProblem, uploadWords } from './picture.ts';
import { ApiError } from '../api.ts';
import { errorsWithout, idOf, joinNames, pathWords, announcementState, summaryOf, universitiesError } from './words.ts';

it.each([
  ['facts.postalCode', 'School facts, postal code'],
  ['questions.2.answer', 'Question 3, answer'],
  ['hours.0.opens', 'Hours 1, opens'],
  ['banner.linkTo', 'Announcement, link address'],
  ['hero.alt', 'Hero picture, what it shows'],
  ['people.1.role', 'Person 2, role'],
  ['universities.4', 'University 5'],
  ['colour', 'Main colour'],
  ['something', 'something'],
])('%s is called %s', (path, words) => {
  expect(pathWords(path)).toBe(words);
});

it('errors stand in the order of the page, and lead to their fields', () => {
  const errors = { 'people.0.role': 'c', 'questions.10.answer': 'b', 'questions.2.answer': 'a', 'questions.2.question': 'z', 'universities.1': 'u' };
  expect(summaryOf(errors).map(({ id }) => id)).toEqual([
    'settings-questions-2-question', 'settings-questions-2-answer', 'settings-questions-10-answer', 'settings-universities', 'settings-people-0-role',
  ]);
  expect(universitiesError(errors)).toBe('University 2: u');
  expect(universitiesError({})).toBeUndefined();
  expect(idOf('hero.alt')).toBe('settings-hero-alt');
});

it('what is corrected is no error any more, and what stands below it goes too', () => {
  const errors = { 'questions.1.answer': 'a', 'questions.10.answer': 'b', colour: 'c' };
  expect(Object.keys(errorsWithout(errors, 'questions.1'))).toEqual(['questions.10.answer', 'colour']);
  expect(Object.keys(errorsWithout(errors, 'questions'))).toEqual(['colour']);
});

it('an announcement says whether it shows on a day', () => {
  const banner = { ...noAnnouncement, text: 'Open house', from: '2026-09-01', until: '2026-09-30' };
  expect(announcementState(noAnnouncement, '2026-09-01')).toBeNull();
  expect(announcementState(banner, '2026-08-31')?.words).toBe('Shows from Sep 1, 2026');
  expect(announcementState(banner, '2026-09-30')?.words).toBe('Shows today, until Sep 30, 2026');
  expect(announcementState(banner, '2026-10-01')?.words).toBe('Over since Sep 30, 2026');
  expect(announcementState({ ...banner, from: '', until: '' }, '2030-01-01')?.words).toBe('Shows today');
});

it('parts are listed as a sentence has them', () => {
  expect(joinNames(['Hours', 'People', 'Crest'])).toBe('Hours, People and Crest');
});

it('a picture is a JPEG or PNG of up to 10 MB', () => {
  const file = { name: 'house.jpg', size: 2_000_000, type: 'image/jpeg' };
  expect(pictureProblem(file)).toBeNull();
  expect(pictureProblem({ ...file, name: 'crest.PNG', type: '' })).toBeNull();
  expect(pictureProblem({ ...file, name: 'list.pdf', type: 'application/pdf' })).toMatch(/not a JPEG or PNG/);
  expect(pictureProblem({ ...file, name: 'photo.jpg', type: 'image/heic' })).toMatch(/is a HEIC photo/);
  expect(pictureProblem({ ...file, name: 'crest.webp', type: 'image/webp' })).toMatch(/is a WebP picture/);
  expect(pictureProblem({ ...file, size: 0 })).toMatch(/is empty/);
  expect(pictureProblem({ ...file, size: 10 * 1024 * 1024 + 1 })).toMatch(/10\.1 MB/);
});

it('a refused picture is not sent again, one that met a busy server may be', () => {
  expect(uploadWords(new ApiError(400, '{"message":"Invalid","fields":{"picture":"Too small"}}'))).toBe('Too small');
  expect(mayRetry(new ApiError(400, '{}'))).toBe(false);
  for (const status of [0, 401, 429, 503]) expect(mayRetry(new ApiError(status, ''))).toBe(true);
});
