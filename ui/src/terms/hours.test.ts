import { expect, test } from 'vitest';
import { readClock, readHours } from './hours.ts';

const link = 'https://meet.example/a';

test('hours are read as the office types them', () => {
  expect(readHours('Tue Thu 19:00-20:30', [])).toEqual({
    meetings: [
      { weekday: 2, startsAt: '19:00', endsAt: '20:30', link: null },
      { weekday: 4, startsAt: '19:00', endsAt: '20:30', link: null },
    ],
  });
  expect(readHours('Saturdays 10–11:30; mon, wed and fri 7 pm to 8:15pm', [])).toMatchObject({
    meetings: [
      { weekday: 1, startsAt: '19:00', endsAt: '20:15' }, { weekday: 3 }, { weekday: 5 },
      { weekday: 6, startsAt: '10:00', endsAt: '11:30' },
    ],
  });
  // As it is shown.
  expect(readHours('Tue and Thu 19:00–20:30', [])).toMatchObject({ meetings: [{ weekday: 2 }, { weekday: 4 }] });
  expect(readHours('', [])).toEqual({ meetings: [] });
});

test('a moved class keeps its link', () => {
  const before = [{ id: 1, weekday: 2, startsAt: '19:00', endsAt: '20:30', link }, { id: 2, weekday: 4, startsAt: '19:00', endsAt: '20:30', link: 'https://meet.example/b' }];
  expect(readHours('Wed Thu 19:00–20:30', before)).toMatchObject({ meetings: [{ id: 1, weekday: 3, link }, { id: 2, weekday: 4, link: 'https://meet.example/b' }] });
  // A third has the first one's link.
  expect(readHours('Tue Thu Sat 19:00–20:30', before)).toMatchObject({ meetings: [{ id: 1 }, { id: 2 }, { weekday: 6, link }] });
});

test('what is no hour is said', () => {
  for (const text of ['Tue', '19:00–20:30', 'Foo 19:00–20:30', 'Tue 25:00–26:00', 'Tue 19:00']) expect(readHours(text, [])).toHaveProperty('problem');
  expect(readHours('Tue 20:30–19:00', [])).toEqual({ problem: 'A class must end after it starts' });
});

test('times of day', () => {
  expect(['9', '09:30', '1900', '12 pm', '12am', '24:00', '7:60', '13 pm'].map(readClock)).toEqual(['09:00', '09:30', '19:00', '12:00', '00:00', null, null, null]);
});
