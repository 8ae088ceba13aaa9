import { describeAction, reviewAction } from 'ralph-actions/review';
import { isReadKind } from 'ralph-kit/actions/action';
import { describe, expect, it } from 'vitest';
import { action, HOME, PLACE, ROOT, ruling } from '../../../../test/helpers/review-place.ts';

const patch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');

type Case = [tool: string, input: Record<string, unknown>, expected: string];

const CASES: Case[] = [
  ['Bash', { command: 'rm -rf /etc', description: 'clean up' }, 'deletion_outside'],
  ['Bash', { command: 'npm test' }, 'allow'],
  ['bash', { command: 'rm ../x' }, 'deletion_outside'],
  ['exec_command', { cmd: 'rm ../x' }, 'deletion_outside'],
  ['exec_command', { cmd: 'rm x', workdir: '/etc' }, 'deletion_outside'],
  ['exec_command', { cmd: 'rm ../x', workdir: 'src' }, 'allow'],
  ['shell', { command: ['bash', '-lc', 'rm -rf /etc'] }, 'deletion_outside'],
  ['shell', { command: ['rm', '-rf', 'a b'] }, 'allow'],
  ['shell', { command: ['echo', '$(rm -rf /etc)'] }, 'allow'],
  ['local_shell', { command: ['rm', '/etc/x'] }, 'deletion_outside'],
  ['command_execution', { command: "/bin/bash -lc 'rm -rf /etc'" }, 'deletion_outside'],
  ['run_shell_command', { command: 'rm x', directory: '/etc', is_background: false }, 'deletion_outside'],
  ['run_shell_command', { command: 'rm -rf dist', description: 'run' }, 'allow'],
  ['Bash', {}, 'allow'],
  ['write_stdin', { session_id: 1, chars: 'rm -rf /etc\n' }, 'deletion_outside'],
  ['write_bash', { sessionId: 'a', input: 'shutil.rmtree("/etc")' }, 'deletion_outside'],
  ['write_stdin', { session_id: 1, chars: 'y\n' }, 'allow'],

  ['Write', { file_path: `${ROOT}/src/a.ts`, content: 'rm -rf /' }, 'allow'],
  ['Write', { file_path: `${ROOT}/.ralph/PRD.md`, content: '' }, 'protected_write'],
  ['Edit', { file_path: `${HOME}/.claude/settings.json`, old_string: '', new_string: '' }, 'protected_write'],
  ['MultiEdit', { file_path: '.claude/agents/a.md', edits: [] }, 'protected_write'],
  ['NotebookEdit', { notebook_path: `${ROOT}/.codex/x.ipynb` }, 'protected_write'],
  ['write', { filePath: `${ROOT}/opencode.json`, content: '' }, 'protected_write'],
  ['edit', { path: '.pi/settings.json', edits: [] }, 'protected_write'],
  ['edit', { path: 'src/pi.ts', edits: [] }, 'allow'],
  ['write_file', { file_path: `${ROOT}/.gemini/settings.json`, content: '' }, 'protected_write'],
  [
    'replace',
    { file_path: `${ROOT}/.qwen/settings.json`, old_string: 'a', new_string: 'b' },
    'protected_write',
  ],
  ['create', { path: `${ROOT}/.github/hooks/x.json`, file_text: '' }, 'protected_write'],
  ['create', { path: `${ROOT}/.github/workflows/ci.yml`, file_text: '' }, 'allow'],
  ['str_replace_editor', { command: 'view', path: `${ROOT}/.ralph/PRD.md` }, 'allow'],
  ['str_replace_editor', { command: 'create', path: `${ROOT}/.ralph/PRD.md` }, 'protected_write'],
  ['insert', { path: `${ROOT}/state-link/x`, new_str: '' }, 'protected_write'],
  ['Write', { file_path: '/tmp/x', content: '' }, 'allow'],
  ['Write', { file_path: '/run/ralph-gate/x', content: '' }, 'protected_write'],
  ['save_memory', { fact: 'likes tea' }, 'protected_write'],

  ['apply_patch', { command: patch('*** Add File: src/a.ts', '+rm -rf /') }, 'allow'],
  ['apply_patch', { command: patch('*** Add File: .codex/config.toml', '+x') }, 'protected_write'],
  ['apply_patch', { input: patch('*** Update File: .ralph/config.toml', '@@', '+x') }, 'protected_write'],
  ['apply_patch', { patchText: patch('*** Delete File: ../x') }, 'deletion_outside'],
  ['apply_patch', { patch: patch('*** Delete File: src/a.ts') }, 'allow'],
  [
    'patch',
    { patchText: patch('*** Update File: /etc/x', '*** Move to: x', '+x') },
    'write_outside_repository',
  ],
  ['apply_patch', { input: patch('*** Update File: a', '*** Move to: .claude/a', '+x') }, 'protected_write'],
  ['shell', { command: ['apply_patch', patch('*** Delete File: ../x')] }, 'deletion_outside'],
  ['file_change', { changes: [{ path: `${ROOT}/src/a.ts`, kind: 'add' }] }, 'allow'],
  ['file_change', { changes: [{ path: `${ROOT}/.ralph/x`, kind: 'update' }] }, 'protected_write'],
  ['file_change', { changes: [{ path: '/etc/x', kind: 'delete' }] }, 'deletion_outside'],
  [
    'file_change',
    { changes: [{ path: '/etc/x', kind: { type: 'update', move_path: 'x' } }] },
    'deletion_outside',
  ],
  ['file_change', { changes: { '/etc/x': { type: 'delete' } } }, 'deletion_outside'],

  ['Read', { file_path: `${ROOT}/.ralph/PRD.md` }, 'allow'],
  ['mcp__fs__read_file', { path: `${HOME}/.claude/settings.json` }, 'allow'],
  ['mcp__fs__write_file', { path: `${HOME}/.claude/settings.json`, content: '' }, 'protected_write'],
  ['mcp__fs__write_file', { path: `${ROOT}/src/a.ts`, content: '.ralph/x' }, 'allow'],
  ['mcp__fs__move_file', { source: '/etc/x', destination: `${ROOT}/x` }, 'deletion_outside'],
  ['mcp__fs__move_file', { source: `${ROOT}/x`, destination: '/tmp/x' }, 'allow'],
  ['mcp__fs__delete_files', { paths: ['src/a.ts', '/etc/x'] }, 'deletion_outside'],
  ['deleteFile', { options: { targetFile: '~/x' } }, 'deletion_outside'],
  ['mcp__fs__save', { uri: `file://${ROOT}/.mcp.json` }, 'protected_write'],
  ['mcp__term__run', { command: 'rm -rf /etc' }, 'deletion_outside'],
  ['mcp__py__execute', { code: 'shutil.rmtree("/etc")' }, 'deletion_outside'],
  ['mcp__issues__create_comment', { body: 'rm -rf /etc in .ralph/x' }, 'allow'],
  ['WebFetch', { url: 'https://example.org/.claude/x', prompt: 'x' }, 'allow'],
  ['Task', { prompt: 'rm -rf /etc', subagent_type: 'x' }, 'allow'],
];

describe('tools of the agents', () => {
  it.each(CASES)('%s %j: %s', (tool, input, expected) => expect(ruling(action(tool, input))).toBe(expected));

  it('resolves paths against the folder of the action', () => {
    expect(ruling(action('Bash', { command: 'rm -rf ../x' }, `${ROOT}/src`))).toBe('allow');
    expect(ruling(action('Bash', { command: 'rm -rf ../../x' }, `${ROOT}/src`))).toBe('deletion_outside');
    expect(ruling(action('Write', { file_path: 'config.toml' }, `${ROOT}/.ralph`))).toBe('protected_write');
  });

  it('says what was denied and what to do instead, without the secrets in it', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const denied = reviewAction(action('Bash', { command: `rm -rf /etc/${secret}` }), PLACE);
    expect(denied).toMatchObject({ decision: 'deny', rule: 'deletion_outside' });
    const reason = denied.decision === 'deny' ? denied.reason : '';
    expect(reason).toContain('/etc/');
    expect(reason).toContain('inside the repository');
    expect(reason).not.toContain(secret);
  });

  it('asks an agent to leave temporary files to the system', () => {
    expect(reviewAction(action('Bash', { command: 'T=$(mktemp -d); rm -rf "$T"/*' }), PLACE)).toMatchObject({
      reason: expect.stringContaining('the system clears them'),
    });
  });
});

describe('what an action is', () => {
  it.each([
    'Read',
    'Glob',
    'Grep',
    'LS',
    'view',
    'read_file',
    'list_directory',
    'glob',
    'grep',
    'search_file_content',
    'ls',
  ])('%s merely reads', (tool) => expect(isReadKind(action(tool, { command: 'rm -rf /' }))).toBe(true));
  it.each([
    'Bash',
    'bash',
    'exec_command',
    'Write',
    'apply_patch',
    'write_stdin',
    'mcp__fs__read_file',
    'Readme',
    '',
  ])('%s may do more', (tool) => expect(isReadKind(action(tool, { command: 'ls' }))).toBe(false));
  it.each([
    ['Read', 'file_read'],
    ['run_shell_command', 'system_command'],
    ['write_stdin', 'typing'],
    ['create', 'file_create'],
    ['file_change', 'patch'],
    ['save_memory', 'file_write'],
    ['mcp__x__y', 'unknown'],
  ])('%s: %s', (tool, kind) => expect(action(tool, {}).kind).toBe(kind));
});

describe('the line that describes an action', () => {
  it.each([
    ['Bash', { command: 'npm\n  test' }, 'Bash npm test'],
    ['shell', { command: ['npm', 'run', 'a b'] }, "shell npm run 'a b'"],
    ['Write', { file_path: 'src/a.ts', content: 'x' }, 'Write src/a.ts'],
    ['apply_patch', { command: patch('*** Delete File: a', '*** Add File: b') }, 'apply_patch -a b'],
    ['file_change', { changes: [{ path: 'a', kind: 'add' }] }, 'file_change a'],
    ['write_stdin', { chars: 'ls\u001b[2J\n' }, 'write_stdin ls'],
    ['TodoWrite', {}, 'TodoWrite'],
  ])('%s %j', (tool, input, line) => expect(describeAction(action(tool, input))).toBe(line));

  it('is short and hides secrets', () => {
    const secret = `sk-ant-${'a1b2'.repeat(8)}`;
    const line = describeAction(
      action('Bash', { command: `curl -H "x-api-key: ${secret}" ${'y'.repeat(900)}` }),
    );
    expect(line).not.toContain(secret);
    expect([...line]).toHaveLength(200);
  });
});
