import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action, ActionKind } from '../../../src/domain/action.ts';
import { whoseChanges } from '../../../src/findings/index.ts';
import { openWrites } from '../../../src/review/index.ts';
import { changeSet } from './facts.ts';

const ROOT = '/repo';

function action(kind: ActionKind, more: Partial<Action> = {}): Action {
  const nothing = { id: null, paths: [], command: null, content: [], network: null, cwd: null, input: {} };
  return { kind, tool: 'Tool', ...nothing, ...more };
}

const writes = (path: string, change: 'write' | 'delete' | 'read' = 'write') => ({
  paths: [{ path, change }],
});

function writesOf(...actions: Action[]): string[] | null {
  const links: Readonly<Record<string, string>> = { '/repo/link': '/repo/real' };
  const open = openWrites(ROOT, (path) => links[path] ?? path.replace('/repo/link/', '/repo/real/'));
  for (const one of actions) open.onCall(one);
  return open.paths();
}

describe('what actions can have written', () => {
  it.each([
    ['nothing', [], []],
    ['a file', [action('file_write', writes('src/a.js'))], ['src/a.js']],
    ['an absolute path', [action('file_write', writes('/repo/src/a.js'))], ['src/a.js']],
    ['a path from another folder', [action('file_write', { ...writes('a.js'), cwd: 'src' })], ['src/a.js']],
    ['a file behind a link', [action('file_write', writes('link/a.js'))], ['real/a.js']],
    ['a file outside', [action('file_write', writes('/etc/hosts'))], []],
    ['a deleted folder', [action('file_delete', writes('src', 'delete'))], ['src']],
    ['a read', [action('file_read', writes('a', 'read'))], []],
    ['a plan', [action('message')], []],
    ['a command that only looks', [action('system_command', { command: 'git status' })], []],
    ['a command', [action('system_command', { command: 'npm test' })], null],
    ['an unknown tool', [action('unknown')], null],
    ['typing', [action('typing', { content: ['x'] })], null],
    ['a patch without paths', [action('patch')], null],
    ['a path in the home folder', [action('file_write', writes('~/repo/a'))], null],
  ] as const)('%s', (_, actions, expected) => {
    expect(writesOf(...actions)).toEqual(expected);
  });

  it('anything stays anything, whatever comes before and after', () => {
    const file = action('file_write', writes('a.js'));
    expect(writesOf(file, action('unknown'), file)).toBeNull();
  });
});

describe('whose a change is', () => {
  const paths = (changes: readonly { readonly path: string }[]) => changes.map(({ path }) => path);
  const whose = (told: Omit<Parameters<typeof whoseChanges>[1], 'edited'>, ...changed: string[]) => {
    const { work, yours } = whoseChanges(changeSet(...changed), { edited: [], ...told });
    return [paths(work), paths(yours)];
  };

  it.each([
    ['named by an action', ['a'], true, [['a'], ['b']]],
    ['below a folder that one names', ['a', 'b'], true, [['a', 'b'], []]],
    ['by nothing that it did', [], true, [[], ['a', 'b']]],
    ['by an agent that names nothing that it does', [], false, [['a', 'b'], []]],
    ['by an agent that names some', ['a'], false, [['a'], ['b']]],
    ['by a command', null, true, [['a', 'b'], []]],
  ] as const)('%s', (_, written, complete, expected) => {
    expect(whose({ writes: written, complete }, 'a', 'b')).toEqual(expected);
  });

  it.each([
    ['a command', null],
    ['an action that names it', ['a']],
  ])('a file that you edited is yours, whatever %s can have written', (_, writes) => {
    const { work, yours } = whoseChanges(changeSet('a', 'b'), { writes, complete: true, edited: ['a'] });
    expect([paths(work), paths(yours)]).toEqual(writes === null ? [['b'], ['a']] : [[], ['a', 'b']]);
  });

  it('every change is work or yours, once', () => {
    const names = fc.subarray(['a', 'b/c', 'b/d', 'e']);
    fc.assert(
      fc.property(names, fc.option(names), fc.boolean(), (changed, written, complete) => {
        const [work = [], yours = []] = whose({ writes: written, complete }, ...changed);
        expect([...work, ...yours].toSorted()).toEqual(changed.toSorted());
      }),
    );
  });
});
