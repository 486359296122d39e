// A colleague's changes listed after a conflict.
import { expect, it } from 'vitest';
import { remoteChanges } from './BreachDialog.tsx';

const before = {
  what: 'A laptop was left in a train', happenedOn: '', discoveredOn: '2026-11-02', affected: 'One family', affectedCount: '1',
  risk: 'low', riskReason: '', reportedToOpcOn: '2026-11-03', peopleToldOn: '', measures: '',
};

it('names what was not touched here, as the form calls it', () => {
  const now = { ...before, risk: 'significant', reportedToOpcOn: '', peopleToldOn: '2026-11-20', measures: 'The disk was wiped.' };
  expect(remoteChanges(before, now, before)).toEqual([
    'Real risk of significant harm: Significant',
    'Privacy Commissioner told on: empty',
    'People told on: Nov 20, 2026',
    'What was done about it (optional): “The disk was wiped.”',
  ]);
});

it('leaves out fields that both changed, which say so themselves, and unchanged ones', () => {
  const now = { ...before, affectedCount: '3' };
  expect(remoteChanges(before, now, { ...before, affectedCount: '2', affected: 'Two families' })).toEqual([]);
});
