import { describe, expect, it } from 'vitest';
import { userWorkDestroyed } from '../../../src/findings/detectors/rules.ts';
import { isLossAskedFor } from '../../../src/findings/index.ts';
import { hasLost } from '../../../src/lib/text.ts';
import { attempt } from './facts.ts';

describe('a change of yours in a text', () => {
  it.each<[string, string, string, string, boolean | null]>([
    ['as committed again', 'a\nb\n', 'a\nmine\nb\n', 'a\nb\n', true],
    ['rewritten', 'a\nb\n', 'a\nmine\nb\n', 'c\nd\n', true],
    ['edited further', 'a\nb\n', 'a\nmine\nb\n', 'a\nmine\ntheirs\nb\n', false],
    ['indented', 'a\n', 'a\nmine\n', 'if (a) {\n  mine\n}\n', false],
    ['a new file that was rewritten', '', 'mine\n', 'theirs\n', true],
    ['lines that are gone', 'a\nb\n', 'a\n', 'a\nb\n', null],
  ])('%s', (_, from, changed, now, lost) => {
    expect(hasLost(from, changed, now)).toBe(lost);
  });
});

describe('a task that asks for a loss', () => {
  const { task } = attempt({});
  it.each<[string, string, boolean]>([
    ['Remove src/old.js', 'src/old.js', true],
    ['Delete the folder src/legacy/', 'src/legacy/a/b.js', true],
    ['Get rid of src/', 'src/a.js', true],
    ['Remove notes on parsing', 'notes/a.md', false],
    ['Revert data.js', 'src/data.js', true],
    ['Revert data.js', 'src/a.js', false],
    ['Extend src/old.js', 'src/old.js', false],
    ['Remove the cache', 'src/old.js', false],
    ['Remove src/old.js', 'src/old.js.map', false],
  ])('%s: %s', (title, path, asked) => {
    expect(isLossAskedFor({ ...task, title, description: '', acceptance: [] }, path)).toBe(asked);
  });
});

describe('the finding', () => {
  const lost = { path: 'a.js', how: 'reverted', by: 'agent', kept: null } as const;
  it.each([
    ['the agent', [lost], 'medium'],
    ['what was staged alone', [{ ...lost, how: 'unstaged' as const }], 'low'],
    ['a gate', [{ ...lost, by: 'gates' as const }], 'low'],
    ['what is only kept', [{ ...lost, kept: 'kept/1' }], undefined],
    ['nothing', [], undefined],
  ])('of %s', (_, lostWork, severity) => {
    expect(userWorkDestroyed(attempt({ lostWork }))?.severity).toBe(severity);
  });
});
