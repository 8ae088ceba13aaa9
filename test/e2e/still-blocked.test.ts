/** @module-tag rest */

import { describe, expect, it } from 'vitest';
import { always, claim, makeProject, type Project, shellAgent } from '../helpers/cli.ts';

const STORIES = (extra: string) => `stories:\n  - id: T-3\n    title: Write the printer\n${extra}`;
const LISTS: readonly (readonly [format: string, path: string, list: string])[] = [
  ['Markdown', '.ralph/PRD.md', '# Plan\n\n## Tasks\n\n- [ ] **T-3** Write the printer\n'],
  [
    'JSON',
    '.ralph/prd.json',
    `${JSON.stringify({ stories: [{ id: 'T-3', title: 'Write the printer', status: 'open' }] }, null, 2)}\n`,
  ],
  ['YAML', '.ralph/tasks.yaml', STORIES('    status: open\n')],
  ['YAML without a status', '.ralph/tasks.yaml', STORIES('')],
  ['lines of JSON', '.beads/issues.jsonl', '{"id":"T-3","title":"Write the printer","status":"open"}\n'],
];

const BLOCKS = always({ action: 'status', status: 'BLOCKED', exit_signal: false, reason: 'It has no key.' });
/** The agent reports T-3 as blocked, and does any other task. */
const TWO_KINDS = `cat > /dev/null
[ "$RALPH_TASK_ID" = T-3 ] || { echo x > x.txt; printf 'RALPH_STATUS\\nTASK: %s\\nSTATUS: DONE\\nEXIT_SIGNAL: true\\nEND_RALPH_STATUS\\n' "$RALPH_TASK_ID"; exit; }
printf 'RALPH_STATUS\\nTASK: %s\\nSTATUS: BLOCKED\\nEXIT_SIGNAL: false\\nREASON: It has no key.\\nEND_RALPH_STATUS\\n' "$RALPH_TASK_ID"
`;
const STILL = '! T-3 is still blocked: its mark was taken back. ralph unblock T-3';

/** Returns a project whose list is committed and whose task is blocked, with an uncommitted mark. */
async function blocked(path: string, list: string, files: Record<string, string> = {}): Promise<Project> {
  const project = makeProject({ '.ralph/scenario.json': BLOCKS, ...files });
  project.remove('.ralph/PRD.md');
  project.write(path, list);
  project.commitAll('The list');
  expect(await project.jsonLater('run')).toMatchObject({ ending: 'all_blocked' });
  expect(project.read(path)).not.toBe(list);
  return project;
}

const firstLine = (text: string) => text.slice(0, text.indexOf('\n'));

describe.concurrent('a blocked mark that goes back to what HEAD has', () => {
  it.each(LISTS)('decides nothing, in %s', async (_format, path, list) => {
    const project = await blocked(path, list);
    project.git('checkout', '.');
    expect(project.read(path)).toBe(list);
    const status = await project.start('status').ended;
    expect(firstLine(status.stdout)).toBe(STILL);
    expect(status.stdout).toContain('1 needs you');
    expect(project.json('status')).toMatchObject({ taken_back: [{ task_id: 'T-3', mark: 'blocked' }] });
    const run = await project.start('run').ended;
    expect(firstLine(run.stdout)).toBe(STILL);
    expect(run.code).toBe(4);
    expect(project.iterations()).toEqual([1]);
    expect(project.git('status', '--porcelain', path)).toBe('');
    expect(firstLine((await project.start('run').ended).stdout)).toBe(STILL);
    expect(project.ralph('unblock', 'T-3').code).toBe(0);
    expect(await project.jsonLater('run')).toMatchObject({ ending: 'all_blocked', iterations: 1 });
  });

  const [[, path, list] = ['', '', '']] = LISTS;
  it.each<[string, (project: Project) => void]>([
    ['by a stash', ({ git }) => git('stash')],
    ['by a hard reset', ({ git }) => git('reset', '-q', '--hard')],
    ['by an edit', ({ write }) => write(path, list)],
    [
      'by a stash before a pull that carries another version of the list',
      (project) => {
        const other = makeProject();
        other.git('pull', '-q', '--no-rebase', '--allow-unrelated-histories', '-X', 'theirs', project.root);
        other.git('reset', '-q', '--hard', 'FETCH_HEAD');
        other.write(path, `${list}- [x] **T-4** Write the shell\n`);
        other.commitAll('One more');
        project.git('stash');
        project.git('pull', '-q', '--rebase', other.root);
      },
    ],
    [
      'by a switch to a branch that never had it',
      (project) => {
        project.git('branch', 'older');
        project.commitAll('Blocked');
        project.git('switch', '-q', 'older');
      },
    ],
    [
      'by a reset behind the commit that has it',
      (project) => {
        project.commitAll('Blocked');
        project.git('reset', '-q', '--hard', 'HEAD~1');
      },
    ],
  ])('decides nothing, %s', async (_how, takeBack) => {
    const project = await blocked(path, list);
    takeBack(project);
    expect(project.read(path)).toContain('- [ ] **T-3**');
    const run = await project.start('run').ended;
    expect(firstLine(run.stdout)).toBe(STILL);
    expect(run.code).toBe(4);
    expect(project.iterations()).toEqual([1]);
  });

  it('comes back with the stash that holds it, whatever ran meanwhile', async () => {
    const project = await blocked(path, list);
    project.write('notes.md', 'mine\n');
    project.git('add', 'notes.md');
    const marked = project.read(path);
    project.git('stash');
    for (const command of ['status', 'run', 'run'])
      expect(firstLine((await project.start(command).ended).stdout)).toBe(STILL);
    project.git('stash', 'pop');
    expect(project.read(path)).toBe(marked);
    expect(project.read('notes.md')).toBe('mine\n');
    const run = await project.start('run').ended;
    expect(run.stdout).not.toContain('taken back');
    expect(run.code).toBe(4);
    project.commitAll('Blocked');
    project.git('revert', '--no-edit', 'HEAD');
    expect(await project.jsonLater('run')).toMatchObject({ iterations: 1 });
  });

  it('counts while another task is worked on, and is taken away by a commit that ralph did not see come', async () => {
    const other = `${list}- [ ] **T-4** Write the shell\n`;
    const project = makeProject({ 'agent.sh': TWO_KINDS, '.ralph/ralph.toml': shellAgent() });
    project.write(path, list);
    project.commitAll('The list');
    expect(await project.jsonLater('run')).toMatchObject({ ending: 'all_blocked' });
    project.git('stash');
    project.write(path, other);
    project.git('commit', '-qam', 'One more');
    const run = await project.start('run').ended;
    expect(firstLine(run.stdout)).toBe(STILL);
    expect(project.iterations()).toEqual([1, 2]);
    expect(project.read(path)).toContain('- [ ] **T-3**');
    project.git('checkout', '.');
    expect(firstLine((await project.start('run').ended).stdout)).toContain('T-3 is still blocked');
    project.write(path, other.replace('[ ] **T-3**', '[-] **T-3**'));
    project.git('commit', '-qam', 'Blocked');
    project.git('revert', '--no-edit', 'HEAD');
    expect(await project.jsonLater('run')).toMatchObject({ iterations: 1 });
  });

  it('is said of several tasks in one sentence', async () => {
    const project = await blocked(path, `${list}- [ ] **T-4** Write the shell\n`);
    project.git('checkout', '.');
    expect(firstLine((await project.start('run').ended).stdout)).toBe(
      '! T-3, T-4 are still blocked: their marks were taken back. ralph unblock T-3 T-4',
    );
  });
});

describe.concurrent('a blocked task is worked on again', () => {
  const [[, path, list] = ['', '', '']] = LISTS;
  it.each<[string, (project: Project) => void]>([
    [
      'when a commit takes its mark away',
      (project) => {
        project.commitAll('Blocked');
        project.write(path, list);
        project.commitAll('Open');
      },
    ],
    [
      'when that commit is reverted',
      (project) => {
        project.commitAll('Blocked');
        project.git('revert', '--no-edit', 'HEAD');
      },
    ],
    [
      'when a commit on another branch does, which is merged',
      (project) => {
        project.commitAll('Blocked');
        project.git('switch', '-q', '-c', 'other');
        project.write(path, list);
        project.commitAll('Open');
        project.git('switch', '-q', 'main');
        project.write('notes.md', 'Hello\n');
        project.commitAll('Notes');
        project.git('merge', '-q', '--no-ff', '-m', 'Merge', 'other');
      },
    ],
    [
      'when an edit that HEAD does not have takes its mark away',
      (project) => {
        project.commitAll('Blocked');
        project.write(path, list);
      },
    ],
  ])('%s', async (_how, takeAway) => {
    const project = await blocked(path, list);
    takeAway(project);
    const run = await project.start('run').ended;
    expect(run.stdout).not.toContain('taken back');
    expect(project.iterations()).toEqual([1, 2]);
  });

  it('when its list is in no commit', async () => {
    const project = await blocked(path, list, { '.gitignore': '.ralph/PRD.md\n' });
    project.write(path, list);
    await project.start('run').ended;
    expect(project.iterations()).toEqual([1, 2]);
  });
});

it.each([
  ['.ralph/PRD.md', '# Plan\n\n## Tasks\n\n- [ ] **T-1** Write the parser\n'],
  [
    'backlog/tasks/task-1 - Write-the-parser.md',
    '---\nid: T-1\ntitle: Write the parser\nstatus: To Do\n---\n\n## Description\n\nIt parses.\n',
  ],
])('a done mark that goes back to what HEAD has decides nothing, in %s', async (path, list) => {
  const project = makeProject({
    '.ralph/ralph.toml': '[loop]\nagent = "scripted"\n\n[git]\ncommit = "never"\n',
    '.ralph/scenario.json': always(
      { action: 'append', path: 'src/parser.ts', content: 'export {};\n' },
      claim('src/parser.ts:1 written'),
    ),
  });
  project.remove('.ralph/PRD.md');
  project.write(path, list);
  project.commitAll('The list');
  expect(await project.jsonLater('run')).toMatchObject({ ending: 'all_done', iterations: 1 });
  expect(project.read(path)).not.toBe(list);
  project.git('checkout', '--', path);
  const run = await project.start('run').ended;
  expect(firstLine(run.stdout)).toBe('! T-1 is still done: its mark was taken back. ralph tasks reopen T-1');
  expect(project.iterations()).toEqual([1]);
});
