import { describe, expect, it } from 'vitest';
import { unjudgedWork } from '../../../src/decide/index.ts';
import type { Change } from '../../../src/domain/change-set.ts';
import { type AttemptSummary, EMPTY_TASK_STATE, type TaskState } from '../../../src/domain/records/state.ts';
import type { VerdictKind } from '../../../src/domain/verdict.ts';

const ended = (verdict: VerdictKind) => [{ iteration: 4, verdict } as AttemptSummary];
const work = (...paths: string[]) => ({ work: paths }) as unknown as TaskState['series'];
const change = (path: string): Change => ({
  ...{ path, oldPath: null, kind: 'modified', oldMode: '100644', newMode: '100644', binary: false },
  ...{ linesAdded: 2, linesRemoved: 1, hunks: [] },
});

describe('begunBefore', () => {
  it.each<[string, Partial<TaskState>, string | null]>([
    ['a task that was never begun', {}, null],
    ['an attempt that failed', { attempts: ended('gates_failed'), series: work('a') }, null],
    ['a kill', { cutOff: [3] }, 'cut_off'],
    ['a kill after an attempt that failed', { attempts: ended('gates_failed'), cutOff: [5] }, 'cut_off'],
    ['a stop', { attempts: ended('interrupted') }, 'stopped'],
    ['an outage that left files', { attempts: ended('outage'), series: work('a') }, 'outside'],
    ['an outage that left none', { attempts: ended('outage') }, null],
    ['work that another task overtook', { attempts: ended('conflict'), series: work('a') }, null],
    ['actions that wait', { attempts: ended('awaiting_human'), series: work('a') }, null],
  ])('%s', (_name, known, how) => {
    expect(unjudgedWork({ ...EMPTY_TASK_STATE, ...known }, null)?.how ?? null).toBe(how);
  });

  it('names the work of the task with what it changed, and nothing else', () => {
    const known = { ...EMPTY_TASK_STATE, cutOff: [3], series: work('src/a.ts', 'src/b.ts') };
    expect(unjudgedWork(known, [change('src/a.ts'), change('README.md')])).toEqual({
      ...{ how: 'cut_off', iterations: [3], more: 0 },
      files: [{ path: 'src/a.ts', change: { kind: 'modified', added: 2, removed: 1 } }],
    });
  });

  it('names 20 files, and counts the rest', () => {
    const paths = Array.from({ length: 25 }, (_, at) => `f${at}`);
    const found = unjudgedWork({ ...EMPTY_TASK_STATE, cutOff: [3], series: work(...paths) }, null);
    expect([found?.files.length, found?.more]).toEqual([20, 5]);
  });
});
