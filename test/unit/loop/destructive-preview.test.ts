import type { RunPlace } from 'ralph-actions/forms/place';
import { describe, expect, it } from 'vitest';
import type { GateRequest } from '../../../src/domain/human/gate.ts';
import { HumanSettings } from '../../../src/domain/human/settings.ts';
import { NO_HUMAN_STATE } from '../../../src/domain/human/state.ts';
import type { LoopContext } from '../../../src/loop/context.ts';
import { openDestructivePreview } from '../../../src/loop/watch/destructive-preview.ts';
import { NO_PLACE } from '../../../src/loop/watch/review-session.ts';
import { actionOf } from '../../helpers/action.ts';
import { virtualClock } from '../../helpers/virtual-clock.ts';

const SUM = "it('sums', () => {\n  expect(sum(1, 2)).toBe(3);\n});\n";
const ADDS = "it('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n";
const CODE = 'export const sum = (a, b) => a + b;\n';

/** A work tree in memory, whose files change as actions are allowed. */
function tree(start: Readonly<Record<string, string>>, human: Partial<typeof NO_HUMAN_STATE> = {}) {
  const files = new Map(Object.entries(start));
  const inside = (path: string) => path.replace(/^\/repo\//, '');
  const place: RunPlace = {
    ...NO_PLACE,
    root: '/repo',
    textSince: (path) => files.get(inside(path)) ?? null,
    entries: (folder) => [
      ...new Set(
        [...files.keys()]
          .filter((path) => path.startsWith(`${inside(folder)}/`))
          .map((path) => path.slice(inside(folder).length + 1).split('/')[0] ?? ''),
      ),
    ],
  };
  const state = { human: { ...NO_HUMAN_STATE, ...human } };
  const context = {
    ports: { store: { state }, clock: virtualClock() },
    config: { human: HumanSettings.parse({}) },
  } as unknown as LoopContext;
  const task = {
    id: 'T-1',
    title: 'One',
    description: '',
    acceptance: [],
    owner: null,
    removalApprovedBy: null,
  };
  const look = openDestructivePreview(context, { ...{ task: task as never, agent: 'claude', place } });
  return {
    look,
    files,
    names: (...call: Parameters<typeof actionOf>) =>
      look(actionOf(...call))?.draft.triggers.map(({ name }) => name) ?? [],
  };
}

const WITH_BOTH = { 'test/a.test.js': SUM + ADDS, 'src/sum.js': CODE };

describe('what an action would take away', () => {
  it.each<[string, Parameters<typeof actionOf>, string[]]>([
    ['a file of tests, by a command', ['Bash', { command: 'rm test/a.test.js' }], ['tests_removed']],
    ['a folder of tests', ['Bash', { command: 'rm -rf test' }], ['tests_removed']],
    [
      'a test, by an edit',
      ['Edit', { file_path: '/repo/test/a.test.js', old_string: ADDS, new_string: '' }],
      ['tests_removed'],
    ],
    ['a test, by a new text', ['Write', { file_path: 'test/a.test.js', content: SUM }], ['tests_removed']],
    [
      'a test that is skipped, by one of several edits',
      [
        'MultiEdit',
        { file_path: 'test/a.test.js', edits: [{ old_string: "it('sums'", new_string: "it.skip('sums'" }] },
      ],
      ['skips_added'],
    ],
    [
      'a check, which is one of up to two',
      ['Edit', { file_path: 'test/a.test.js', old_string: 'toBe(3)', new_string: 'toBeDefined()' }],
      [],
    ],
    [
      'nothing: a test more',
      ['Write', { file_path: 'test/a.test.js', content: SUM + ADDS + SUM.replace('sums', 'more') }],
      [],
    ],
    ['nothing: another name', ['Bash', { command: 'git mv test/a.test.js test/b.test.js' }], []],
    ['nothing: other files', ['Bash', { command: 'rm -rf dist out.log' }], []],
    [
      'nothing: an edit that does not fit',
      ['Edit', { file_path: 'test/a.test.js', old_string: 'no such text', new_string: '' }],
      [],
    ],
    ['nothing outside of the work tree', ['Write', { file_path: '/elsewhere/a.test.js', content: '' }], []],
    ['nothing: it looks', ['Read', { file_path: 'test/a.test.js' }], []],
  ])('%s', (_what, call, names) => {
    expect(tree(WITH_BOTH).names(...call)).toEqual(names);
  });

  it("doesn't exist where what was done before takes its place", () => {
    const { names, files } = tree(WITH_BOTH);
    const removal: Parameters<typeof actionOf> = ['Write', { file_path: 'test/a.test.js', content: SUM }];
    expect(names('Write', { file_path: 'test/b.test.js', content: ADDS })).toEqual([]);
    files.set('test/b.test.js', ADDS);
    expect(names(...removal)).toEqual([]);
  });

  it("doesn't exist where the code goes first", () => {
    const { names, files } = tree(WITH_BOTH);
    names('Bash', { command: 'rm src/sum.js' });
    files.delete('src/sum.js');
    expect(names('Edit', { file_path: 'test/a.test.js', old_string: SUM, new_string: '' })).toEqual([]);
  });

  it("isn't one once you approved it, and is one where more goes", () => {
    const { look } = tree(WITH_BOTH);
    const removal = actionOf('Write', { file_path: 'test/a.test.js', content: SUM });
    const found = look(removal);
    const action = { tool: 'Write', shown: '', detail: '', sha256: '', signs: found?.signs ?? [] };
    const request = { ...found?.draft, action, id: 'G-1' } as unknown as GateRequest;
    const decided = [{ request, at: '', option: 'approve', reason: '', user: 'you' }];
    expect(tree(WITH_BOTH, { decided }).look(removal)).toBeNull();
    const more = tree(WITH_BOTH, { decided }).names('Bash', { command: 'rm test/a.test.js' });
    expect(more).toEqual(['tests_removed']);
  });
});
