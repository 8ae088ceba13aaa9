import { ReviewSettings } from 'ralph-actions/forms/settings';
import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import { looseningsOf, removeUnapproved } from '../../../src/app/setup/trust/loosening.ts';
import type { Task } from '../../../src/domain/task.ts';

const LIMITS = { maxTimeoutSeconds: 7200, review: ReviewSettings.parse({}) };
const task = (fields: Partial<Task>): Task => ({ ...EMPTY_TASK, id: 'T-1', title: 'Parser', ...fields });

describe('what a task loosens', () => {
  it.each<[string, Partial<Task>, string[], Partial<Task>]>([
    [
      'a timeout above the maximum',
      { timeoutSeconds: 18_000 },
      ['Timeout: 18000 s'],
      { timeoutSeconds: 7200 },
    ],
    ['an owner, who alone approves nothing', { owner: 'Ann' }, [], {}],
    [
      'its owner, who approved a removal',
      { owner: 'Ann', removalApprovedBy: 'Ann' },
      ['Owner: Ann', 'Removal approved by: Ann'],
      { owner: null, removalApprovedBy: null },
    ],
    [
      'who approved a removal',
      { removalApprovedBy: 'Ann' },
      ['Removal approved by: Ann'],
      { removalApprovedBy: null },
    ],
    [
      'several',
      { removalApprovedBy: 'Ann', timeoutSeconds: 7201 },
      ['Timeout: 7201 s', 'Removal approved by: Ann'],
      { removalApprovedBy: null, timeoutSeconds: 7200 },
    ],
    [
      'commands that are run: it waits for your yes',
      { checks: ['npm test', 'node x.js'] },
      ['Check: npm test; Check: node x.js'],
      { checks: [], problem: 'its checks are commands that you have not accepted: ralph trust' },
    ],
    ['a timeout at the maximum', { timeoutSeconds: 7200 }, [], { timeoutSeconds: 7200 }],
    ['more gates, a priority, a kind', { gates: ['e2e'], priority: 1, kind: 'research' }, [], {}],
  ])('%s', (_name, fields, texts, without) => {
    const given = task(fields);
    expect(looseningsOf([given], LIMITS).map(({ text }) => text)).toEqual(texts);
    const nothing = removeUnapproved([given], LIMITS, () => false);
    expect(nothing.tasks).toEqual([task({ ...fields, ...without })]);
    expect(nothing.removed.map(({ text }) => text)).toEqual(texts);
    expect(removeUnapproved([given], LIMITS, () => true)).toEqual({ tasks: [given], removed: [] });
  });

  it('is held back by its content: another value is another question', () => {
    const isTrusted = ({ taskId, text }: { taskId: string; text: string }) =>
      `${taskId} ${text}` === 'T-1 Removal approved by: Ann';
    const by = (removalApprovedBy: string, id = 'T-1') => task({ id, removalApprovedBy });
    const { tasks } = removeUnapproved([by('Ann'), by('Mallory'), by('Ann', 'T-2')], LIMITS, isTrusted);
    expect(tasks.map(({ removalApprovedBy }) => removalApprovedBy)).toEqual(['Ann', null, null]);
  });
});
