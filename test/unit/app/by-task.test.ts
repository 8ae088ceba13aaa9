import { expect, it } from 'vitest';
import { byTask } from '../../../src/app/setup/workspace.ts';
import type { Entry } from '../../../src/domain/entry.ts';
import { started } from '../state/records.ts';

it('a line is about the task that it names, or that its worker is at', () => {
  const about: (string | undefined)[] = [];
  const follow = byTask((_entry, taskId) => about.push(taskId));
  const warned: Entry = { type: 'warned', message: 'x' };
  const landed: Entry = { type: 'work_landed', taskId: 'T-9', commit: null, paths: 0 };
  follow(warned, 1);
  follow(started(1, 'T-1'), 1);
  follow(started(2, 'T-2'), 2);
  follow(warned, 1);
  follow(warned, 2);
  follow(landed, 2);
  follow(warned, null);
  expect(about).toEqual([undefined, 'T-1', 'T-2', 'T-1', 'T-2', 'T-9', undefined]);
});
