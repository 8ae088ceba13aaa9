import { expect, it } from 'vitest';
import {
  EMPTY_STATE,
  EMPTY_TASK_STATE,
  type State,
  type TaskState,
} from '../../../src/domain/records/state.ts';
import { workPlaceOf, workText } from '../../../src/domain/work-place.ts';

const DONE = { kind: 'verdict', run: 'r-1', iteration: 1, title: 'T', at: '' } as const;
const SERIES = {
  worker: 1,
  worktree: 'main',
  tree: 'a',
  head: null,
  branch: null,
  work: ['x'],
  unjudged: [],
};
const ASIDE = { checkpoint: 'kept/1', base: 'a', tree: 'b', paths: ['y'], sha256: 'c' };
const PLACE = { worker: 1, worktree: 'main', openRollback: null, leftTree: null, checkpoints: [] };

function placeIn(task: Partial<TaskState>, change: Partial<State> = {}, id = 'T-1') {
  return workPlaceOf({ ...EMPTY_STATE, tasks: { [id]: { ...EMPTY_TASK_STATE, ...task } }, ...change }, id);
}

function waiting(one: Partial<State['runs'][number]['skippedCommits'][number]>): Partial<State> {
  const skipped = { taskId: 'T-1', reason: 'you changed it.', command: 'ralph land T-1', ...one };
  return { runs: [{ skippedCommits: [skipped] } as unknown as State['runs'][number]] };
}

it.each<[string, ReturnType<typeof placeIn>, string | null]>([
  ['nothing was begun', placeIn({}), null],
  ['it is set aside', placeIn({ setAside: ASIDE }), 'Its work is kept: ralph take T-1'],
  ['it is in the copy', placeIn({ series: SERIES }), 'Its work is kept: ralph take T-1'],
  ['nothing changed yet', placeIn({ series: { ...SERIES, work: [] } }), null],
  [
    'a rollback replaced it, and nothing was done since',
    placeIn({ series: { ...SERIES, work: [] }, setAside: ASIDE }),
    'Its work is kept: ralph take T-1',
  ],
  ['it is blocked', placeIn({ blocked: null, setAside: ASIDE }), 'Its work is kept: ralph take T-1'],
  ['it is done, and landed', placeIn({ doneBy: DONE }), null],
  ['it is done, and waits', placeIn({ doneBy: DONE }, waiting({})), 'Its work is verified: ralph land T-1'],
  [
    'what it stands on waits',
    placeIn({ doneBy: DONE }, waiting({ command: 'ralph land T-0' })),
    'Its work is verified: ralph land T-0',
  ],
  [
    'you hold it back',
    placeIn({ doneBy: DONE, held: true }, waiting({ heldBy: 'T-1', command: 'ralph queue hold T-1 --off' })),
    'Its work is verified: ralph queue hold T-1 --off',
  ],
  [
    'you released it',
    placeIn({ doneBy: DONE }, waiting({ heldBy: 'T-1', command: 'ralph queue hold T-1 --off' })),
    'Its work is verified: ralph land T-1',
  ],
  ['its result waited, and it is open again', placeIn({ doneBy: null }, waiting({})), null],
  [
    'a kill came before its landing',
    placeIn(
      { doneBy: DONE },
      {
        workplaces: [
          {
            ...{ ...PLACE, openIteration: null },
            phase: { name: 'landing', taskId: 'T-1', lands: true, since: '' },
          },
        ],
      },
    ),
    'Its work is verified: ralph land T-1',
  ],
  [
    'a kill came in its first attempt',
    placeIn(
      { series: { ...SERIES, work: [] }, inProgress: true },
      {
        workplaces: [
          {
            ...{ ...PLACE, phase: null },
            openIteration: {
              ...{ run: 'r-1', iteration: 1, taskId: 'T-1', agent: 'a', mode: 'speed' },
              ...{ startedAt: '', timeoutSeconds: 1 },
            },
          },
        ],
      },
    ),
    'Its work is kept: ralph take T-1',
  ],
  ['an id of two words', placeIn({ setAside: ASIDE }, {}, 'a b'), "Its work is kept: ralph take 'a b'"],
  ['an id like an option', placeIn({ setAside: ASIDE }, {}, '-x'), "Its work is kept: ralph take -- '-x'"],
])('where the work of a task is, by one command: %s', (_, place, text) => {
  expect(workText(place)).toBe(text);
});
