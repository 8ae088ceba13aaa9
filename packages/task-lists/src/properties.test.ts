import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsed, readerOf } from '../test/fixtures.ts';
import { checkDependencies, parseTracker, setTrackerStatus } from './index.ts';
import type { TrackedStatus } from './task.ts';

const STATUSES: readonly TrackedStatus[] = ['open', 'in_progress', 'done', 'blocked'];
const status = fc.constantFrom(...STATUSES);
const eol = fc.constantFrom('\n', '\r\n');
const title = fc.constantFrom(
  'Parse dates',
  'E1-0: Sort',
  '**A-1** Mail',
  'Write tests',
  'Größe prüfen 🟢',
  'x',
  'a `b` [c](d)',
);

function set(text: string, path: string, id: string, to: TrackedStatus): string {
  const result = setTrackerStatus(text, path, readerOf(text, path), [], id, to);
  if (!result.ok) throw new Error(result.message);
  return result.text;
}

/** Sets each task of a text to a status and back, and compares. */
function comesBack(text: string, path: string, to: TrackedStatus): void {
  for (const task of parsed(text, path).tasks) {
    const there = set(text, path, task.id, to);
    expect(parsed(there, path).tasks.find((other) => other.id === task.id)?.status).toBe(to);
    expect(set(there, path, task.id, task.status as TrackedStatus)).toBe(text);
  }
}

const checkList = fc
  .tuple(
    fc.array(
      fc.record({
        title,
        mark: fc.constantFrom(' ', 'x', '-', '~'),
        bullet: fc.constantFrom('-', '*', '+', '1.', '2)'),
        below: fc.array(
          fc.constantFrom('  - a criterion', '\t- [x] ticked', '  Priority: high', '', '  text'),
          { maxLength: 3 },
        ),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    eol,
    fc.boolean(),
    fc.constantFrom('', '\uFEFF'),
  )
  .map(([tasks, end, last, bom]) => {
    const lines = tasks.flatMap((task) => [`${task.bullet} [${task.mark}] ${task.title}`, ...task.below]);
    return bom + lines.join(end) + (last ? end : '');
  });

/** Plans whose boxes are all open: which ticks were there before a task was done cannot be known. */
const headedPlan = fc
  .tuple(
    fc.array(fc.array(fc.constantFrom('- [ ] a', 'text', '- b', ''), { maxLength: 4 }), {
      minLength: 1,
      maxLength: 4,
    }),
    eol,
  )
  .map(([tasks, end]) => tasks.map((body, n) => [`### Task ${n + 1}: t`, ...body].join(end)).join(end));

const jsonFile = fc
  .tuple(
    fc.array(fc.record({ title, status: fc.constantFrom('open', 'in_progress', 'done', 'blocked') }), {
      minLength: 1,
      maxLength: 5,
    }),
    fc.constantFrom(undefined, 2, 4, '\t'),
    eol,
  )
  .map(([stories, indent, end]) => {
    const open = { title: 'kept open', status: 'open' };
    return JSON.stringify({ name: '"stories": [', stories: [open, ...stories] }, null, indent).replaceAll(
      '\n',
      end,
    );
  });

const yamlFile = fc
  .tuple(
    fc.array(fc.record({ title, completed: fc.boolean(), blocked: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    }),
    eol,
  )
  .map(([tasks, end]) => {
    const first = { title: 'kept open', completed: false, blocked: false };
    const entries = [first, ...tasks].flatMap((task, n) => [
      `  - id: ${n + 1} # number`,
      `    title: ${JSON.stringify(task.title)}`,
      `    completed: ${task.completed}`,
      `    blocked: ${task.blocked && !task.completed}   # ${task.title}`,
      '',
    ]);
    return ['# list', 'tasks:', ...entries].join(end);
  });

describe('a status set and set back leaves every byte', () => {
  it('in check lists', () => {
    fc.assert(
      fc.property(checkList, status, (text, to) => comesBack(text, 'PRD.md', to)),
      { numRuns: 100 },
    );
  });

  it('in plans with Task headings', () => {
    fc.assert(
      fc.property(headedPlan, status, (text, to) => comesBack(text, 'plan.md', to)),
      { numRuns: 100 },
    );
  });

  it('in JSON', () => {
    fc.assert(
      fc.property(jsonFile, status, (text, to) => comesBack(text, 'prd.json', to)),
      { numRuns: 100 },
    );
  });

  it('in YAML', () => {
    const held = fc.constantFrom<TrackedStatus>('open', 'done', 'blocked');
    fc.assert(
      fc.property(yamlFile, held, (text, to) => comesBack(text, 'tasks.yaml', to)),
      { numRuns: 60 },
    );
  });
});

describe('ids', () => {
  const titles = fc.uniqueArray(fc.stringMatching(/^[a-z]{3,9}( [a-z]{2,9}){1,4}$/), {
    minLength: 1,
    maxLength: 20,
  });

  it('survive any reordering, and are all different', () => {
    fc.assert(
      fc.property(
        titles.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        ([list, shuffled]) => {
          const text = (names: readonly string[]) => names.map((name) => `- [ ] ${name}`).join('\n');
          const before = parsed(text(list));
          const after = parsed(text(shuffled), 'PRD.md', before.remembered);
          const byTitle = new Map(before.tasks.map((task) => [task.title, task.id]));
          expect(new Set(byTitle.values()).size).toBe(list.length);
          for (const task of after.tasks) expect(task.id).toBe(byTitle.get(task.title));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('are all different whatever is remembered', () => {
    const memory = fc.array(
      fc.record({
        id: fc.constantFrom('t-1', 't-2', 'E1-0', 'A-1', '1'),
        title,
        index: fc.integer({ min: -1, max: 5 }),
      }),
    );
    fc.assert(
      fc.property(checkList, memory, (text, remembered) => {
        const ids = parsed(text, 'PRD.md', remembered).tasks.map((task) => task.id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).not.toContain('');
      }),
      { numRuns: 200 },
    );
  });
});

describe('no text makes it throw', () => {
  const pieces = fc.constantFrom(
    '- [ ] ',
    '* [x] a',
    '  - [~]',
    '[ ]',
    '### Task 1: t',
    '## Tasks',
    '# Optional',
    '```',
    '~~~~',
    '<!--',
    '-->',
    '---',
    'Depends on: 1, A',
    'Depends on #1',
    '\t',
    '  ',
    '\n',
    '\r\n',
    '\r',
    '\uFEFF',
    '**A-1** ',
    'A-1: ',
    'Priority: x',
    '===',
    '[x]',
    '🟢',
    '\u0000',
    '\ud800',
    '{',
    '}',
    '"tasks"',
    ':',
    '[',
    ']',
    ',',
    '"status"',
    '"done"',
    'true',
    'tasks:',
    '- id: 1',
    '  completed: false',
    '&a',
    '*a',
    '|',
    '>',
  );
  const text = fc
    .array(fc.oneof(pieces, fc.string({ maxLength: 6 })), { maxLength: 30 })
    .map((parts) => parts.join(''));

  it.each(['markdown', 'json', 'yaml', 'auto'] as const)('%s', (kind) => {
    fc.assert(
      fc.property(text, status, (input, to) => {
        const result = parseTracker(input, 'tracker', readerOf(input, 'tracker', kind), []);
        if (!result.ok) {
          expect(result.message).not.toBe('');
          return;
        }
        checkDependencies(result.tasks);
        for (const task of result.tasks) {
          const edited = setTrackerStatus(
            input,
            'tracker',
            readerOf(input, 'tracker', kind),
            [],
            task.id,
            to,
          );
          if (!edited.ok || edited.text === input) continue;
          const again = parseTracker(edited.text, 'tracker', readerOf(edited.text, 'tracker', kind), []);
          expect(again.ok && again.tasks.map((other) => other.title)).toEqual(
            result.tasks.map((other) => other.title),
          );
        }
      }),
      { numRuns: kind === 'markdown' ? 1000 : 300 },
    );
  });
});
