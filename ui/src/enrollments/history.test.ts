import { expect, it } from 'vitest';
import { eventText } from './history.ts';

it.each([
  [{ verb: 'decline', to: 'declined', actorKind: 'staff', mark: null }, 'The office declined it'],
  [{ verb: 'withdraw', to: 'withdrawn', actorKind: 'student', mark: null }, 'You withdrew it'],
  [{ verb: 'withdraw', to: 'withdrawn', actorKind: 'staff', mark: 61 }, 'It was withdrawn: 61%'],
  [{ verb: 'complete', to: 'completed', actorKind: 'staff', mark: 0 }, 'You completed the course: 0%'],
  [{ verb: null, to: 'active', actorKind: 'system', mark: null }, 'active'],
] as const)('%j reads %s', (event, words) => {
  expect(eventText(event)).toBe(words);
});
