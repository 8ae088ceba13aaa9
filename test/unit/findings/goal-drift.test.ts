import { EMPTY_TASK } from 'ralph-task-lists/task';
import { describe, expect, it } from 'vitest';
import type { ObservedAction } from '../../../src/domain/observed.ts';
import type { Task } from '../../../src/domain/task.ts';
import { type Attempt, detectFindings, streamIssues } from '../../../src/proof/findings/index.ts';
import { attempt, DONE_CLAIM, NO_GATES } from './facts.ts';
import { action, observed } from './seen.ts';

const WORDS: Task = {
  ...EMPTY_TASK,
  id: 'T1',
  title: 'Add pagination to the invoice table',
  description: 'Customers scroll through thousands of entries.',
};
const PATHS: Task = { ...EMPTY_TASK, id: 'T2', title: 'Tidy up', expectedPaths: ['src/parser/**'] };

const write = (path: string) => action('file_write', path);
const run = (command: string) => action('system_command', command);
const read = (path: string) => action('file_read', path);
const ELSEWHERE = [
  'games/chess.ts',
  'games/board.ts',
  'games/queen.ts',
  'games/rook.ts',
  'games/pawn.ts',
].map(write);

function found(task: Task, actions: ObservedAction[], rest: Partial<Attempt> = {}) {
  const all = detectFindings(
    attempt({ task, observed: observed({ actions }), gateReport: NO_GATES, ...rest }),
  );
  return all.find(({ type }) => type === 'goal_drift');
}

describe('drift', () => {
  it.each<[string, Task, ObservedAction[]]>([
    ['five writes elsewhere, by words', WORDS, ELSEWHERE],
    ['five writes elsewhere, by paths', PATHS, ELSEWHERE],
    ['after a good beginning', PATHS, [write('src/parser/a.ts'), ...ELSEWHERE]],
    ['with reading in between', WORDS, ELSEWHERE.flatMap((one) => [read('games/x.ts'), one])],
    [
      'with everyday commands in between',
      PATHS,
      ELSEWHERE.flatMap((one) => [one, run('npm test'), run('git status')]),
    ],
    [
      'commands that are not of the everyday kind',
      PATHS,
      [
        'node play.js',
        './deploy.sh prod',
        'curl https://example.com/x',
        'python3 scrape.py',
        'convert a.png b.png',
      ].map(run),
    ],
  ])('%s', (_, task, actions) => {
    expect(found(task, actions)).toMatchObject({ severity: 'low', confidence: 0.6, impactFactor: 0.1 });
    expect(streamIssues(observed({ actions }), task)).toMatchObject([
      { type: 'goal_drift', severity: 'low' },
    ]);
  });

  it('names the actions, the paths and the words', () => {
    expect(found(PATHS, ELSEWHERE)?.details).toEqual({
      actions: ELSEWHERE.map(({ text }) => text),
      expected: ['src/parser/**'],
      keywords: ['tidy'],
    });
  });
});

describe('honest work', () => {
  it.each<[string, Task, ObservedAction[]]>([
    ['nothing was done', WORDS, []],
    ['four actions are too few', WORDS, ELSEWHERE.slice(0, 4)],
    ['a word in a file name', WORDS, [...ELSEWHERE, write('src/invoice-list.ts')]],
    ['a word in another form', WORDS, [...ELSEWHERE, write('src/Paginator.tsx')]],
    ['a word in the plural', WORDS, [...ELSEWHERE, run('./seed.sh invoices')]],
    ['a word of the description', WORDS, [...ELSEWHERE, write('src/customer.ts')]],
    ['an expected path', PATHS, [...ELSEWHERE, write('src/parser/tokens.ts')]],
    ['an expected path in a command', PATHS, [...ELSEWHERE, run('cp x src/parser/y.ts')]],
    [
      'reading at an expected path while writing elsewhere',
      PATHS,
      [...ELSEWHERE.slice(1), read('src/parser/a.ts'), ...ELSEWHERE.slice(0, 1)],
    ],
    [
      'reading the ordinary files of a project',
      WORDS,
      ['package.json', 'README.md', 'tsconfig.json', 'src/a.ts', 'src/b.ts', 'src/c.ts'].map(read),
    ],
    [
      'everyday commands at the end',
      WORDS,
      [
        'npm test',
        'npm run lint',
        'git diff | head',
        'git status',
        'ls src',
        'cd x && npx tsc --noEmit',
        'grep -rn foo .',
      ].map(run),
    ],
    [
      'everyday commands of another language',
      WORDS,
      [
        'python -m pytest -q',
        'ruff check .',
        'CI=1 cargo test',
        'go vet ./...',
        './gradlew test',
        'make check',
      ].map(run),
    ],
    ['a task of one word', { ...EMPTY_TASK, id: 'T3', title: 'Parser' }, ELSEWHERE],
    [
      'a task of words that say nothing',
      { ...EMPTY_TASK, id: 'T4', title: 'Fix the failing tests and update the code' },
      ELSEWHERE,
    ],
    ['unknown tools', WORDS, Array.from({ length: 9 }, () => action('unknown', 'mcp__db__query'))],
  ])('%s', (_, task, actions) => {
    expect(found(task, actions)).toBeUndefined();
  });

  it('reached its goal by another way: it is claimed, and the gates confirm it', () => {
    expect(found(WORDS, ELSEWHERE, { claim: DONE_CLAIM, gateReport: attempt().gateReport })).toBeUndefined();
    expect(found(WORDS, ELSEWHERE, { gateReport: attempt().gateReport })).toBeDefined();
    expect(found(WORDS, ELSEWHERE, { claim: DONE_CLAIM })).toBeDefined();
  });
});
