import { actionPaths, isFileOperation, reviewAction } from 'ralph-actions/review';
import type { Action } from 'ralph-kit/actions/action';
import { describe, expect, it } from 'vitest';
import { actionOf as call } from '../../../../test/helpers/action.ts';
import { PLACE, stoppedBy } from '../../../../test/helpers/review-place.ts';

const shell = (command: string) => call('Bash', { command });

/** The ruling while the agent is restricted to looking, editing and these gates; `null`: allowed. */
function restrictedRuling(action: Action, gates: readonly string[]) {
  const ruling = reviewAction(action, { ...PLACE, restricted: gates });
  return ruling.decision === 'allow' ? null : ruling;
}

const LOOKING = [
  'ls -la src',
  'cat package.json | jq .name',
  'git status',
  'git --no-pager log --oneline -5 && git diff HEAD~1',
  'rg -n "parse" src; wc -l src/parser.ts',
  'find . -name "*.ts" -type f',
  "sed -n '1,20p' src/parser.ts",
  'sort -u names.txt | uniq -c',
  'grep -rn TODO src 2>/dev/null || true',
  'head -5 a.txt 2>&1',
];

const MORE_THAN_LOOKING = [
  'touch a',
  'npm test',
  'echo x > a.txt',
  'cat a.txt >> b.txt',
  'find . -name "*.log" -delete',
  'find . -exec touch {} +',
  "sed -i 's/a/b/' src/parser.ts",
  "sed -n 'w out.txt' a.txt",
  'sort -o a.txt a.txt',
  'git checkout main',
  'git diff --output=patch.txt',
  'git -c core.pager=evil log',
  'cat $(evil)',
  'cat `evil`',
  'ls & evil',
  'ls; evil',
  'ls | evil',
  'ls\nevil',
  'env FOO=1 evil',
  'cat <(evil)',
  '(evil)',
  'rg --pre evil x',
  'date -s tomorrow',
  "sed -n '1w out.txt' a.txt",
  "sed 's/a/b/w out.txt' a.txt",
  'sort -uo out.txt a.txt',
  'uniq a.txt b.txt',
  'cat $HOME/x',
  'file -C -m x',
  '',
];

describe('after an emergency stop with limits', () => {
  it.each(LOOKING)('allows what only looks: %s', (command) => {
    expect(restrictedRuling(shell(command), [])).toBeNull();
    expect(isFileOperation(shell(command))).toBe(false);
  });

  it.each(MORE_THAN_LOOKING)('denies what may do more: %j', (command) => {
    expect(restrictedRuling(shell(command), [])).toMatchObject({ decision: 'deny' });
    expect(stoppedBy(shell(command), { ...PLACE, restricted: [] })).toContain('restricted');
    expect(isFileOperation(shell(command))).toBe(true);
  });

  it('allows gates, word for word', () => {
    expect(restrictedRuling(shell(' npm test '), ['npm test'])).toBeNull();
    expect(restrictedRuling(shell('npm test; touch a'), ['npm test'])).not.toBeNull();
  });

  it.each([
    ['reading', call('Read', { file_path: 'a' }), true],
    ['writing', call('Write', { file_path: 'a', content: '' }), true],
    ['a patch', call('apply_patch', { patch: '' }), true],
    ['writing what git runs', call('Write', { file_path: '/repo/.git/config', content: '' }), false],
    ['an unknown tool', call('mcp__db__query', { sql: 'x' }), false],
    ['typing into a program that was left open', call('write_stdin', { chars: 'x' }), false],
  ])('%s', (_, action, allowed) => {
    expect(restrictedRuling(action, []) === null).toBe(allowed);
  });
});

describe('the paths of an action', () => {
  it.each([
    [
      'of a file tool, relative to the repository',
      call('Edit', { file_path: '/repo/src/a.ts' }),
      ['src/a.ts'],
    ],
    ['outside of it as they are', call('Read', { file_path: '/etc/hosts' }), ['/etc/hosts']],
    ['of a command: none', shell('cat src/a.ts'), []],
    [
      'of a patch',
      call('apply_patch', { input: '*** Begin Patch\n*** Add File: src/b.ts\n+x\n*** End Patch' }),
      ['src/b.ts'],
    ],
  ])('%s', (_, action, paths) => {
    expect(actionPaths(action, '/repo')).toEqual(paths);
  });
});
