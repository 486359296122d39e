import { expect, it } from 'vitest';
import { splitName } from './splitName.ts';

it.each([
  ['Amara Okonkwo-Lefebvre', 'Amara', 'Okonkwo-Lefebvre'],
  ['  Mary  Ann   Smith ', 'Mary Ann', 'Smith'],
  ['Ana de la Cruz', 'Ana', 'de la Cruz'],
  ['Vincent van Gogh', 'Vincent', 'van Gogh'],
  ['Okonkwo, Amara Ife', 'Amara Ife', 'Okonkwo'],
  ['Mononym', 'Mononym', ''],
  ['李小龙', '李小龙', ''],
  ['Van Nguyen', 'Van', 'Nguyen'],
  ['Le', 'Le', ''],
  ['', '', ''],
])('%s', (name, firstName, lastName) => {
  expect(splitName(name)).toEqual({ firstName, lastName });
});
