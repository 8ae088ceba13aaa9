import { mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeProject, type Project } from '../helpers/cli.ts';

/**
 * The agent of these tests: meets the others at its first attempt, so that all work from the same commit, then does what the test
 * says of its task, and claims completion.
 */
const AGENT = `
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
const { RALPH_TASK_ID: id, RALPH_ATTEMPT: attempt, RALPH_SLOT: slot, MEET: meet, TOGETHER: together } = process.env;
const first = !existsSync(meet + '/' + id);
writeFileSync(meet + '/' + id, slot ?? '');
appendFileSync(meet + '/all.log', [id, slot, process.env.RALPH_PORT_BASE, process.env.COMPOSE_PROJECT_NAME].join(' ') + '\\n');
while (first && readdirSync(meet).length - 1 < Number(together)) await new Promise((done) => setTimeout(done, 20));
const act = (await import(process.cwd() + '/acts.mjs')).default;
const changed = await act({ id, attempt: Number(attempt), appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync });
console.log(['RALPH_STATUS', 'TASK: ' + id, 'STATUS: DONE', 'EXIT_SIGNAL: true', ...(changed ? ['EVIDENCE: ' + changed] : []), 'END_RALPH_STATUS'].join('\\n'));
`;

type Given = {
  /** The body of what the agent does with its task. */
  readonly acts: string;
  readonly gate?: string;
  readonly workers?: number;
  /** Tasks that meet at their first attempt. */
  readonly together?: number;
  readonly files?: Readonly<Record<string, string>>;
};

/** @param tasks Lines of the task list behind "- [ ] ". */
function project(tasks: readonly string[], { acts, gate = 'true', workers, together, files = {} }: Given) {
  const made = makeProject({
    '.ralph/PRD.md': `# Tasks\n\n${tasks.map((task) => `- [ ] ${task}\n`).join('')}`,
    'agent.mjs': AGENT,
    'acts.mjs': `export default ({ id, attempt, ...fs }) => { ${acts} };\n`,
    'check.sh': `${gate}\n`,
    'shared.txt': 'start\n',
    ...files,
  });
  const meet = made.path('.git/meet');
  mkdirSync(meet);
  made.write(
    '.ralph/ralph.toml',
    [
      '[loop]\nagent = "mine"\n[git]\ncommit = "on_done"\n[box]\nmode = "off"\n[gates]\ncommands = [{ name = "test", run = "sh check.sh" }]',
      `[parallel]\nworkers = ${workers ?? tasks.length}`,
      '[runners.mine]\nargv = ["node", "agent.mjs"]',
      `[runners.mine.env]\nMEET = ${JSON.stringify(meet)}\nTOGETHER = "${together ?? tasks.length}"\n`,
    ].join('\n'),
  );
  return made;
}

const verdicts = (one: Project) =>
  one.iterations().map((number) => {
    const { facts, decisions } = one.iteration(number);
    return `${facts.task.id} ${decisions.verdict.kind}`;
  });
const subjects = (one: Project) =>
  one
    .git('log', '--format=%s', '--reverse')
    .split('\n')
    .filter((subject) => /T-\d/.test(subject));
const named = (count: number) => Array.from({ length: count }, (_, at) => `**T-${at + 1}** Task ${at + 1}`);

const OWN_FILE = "fs.writeFileSync(id + '.txt', id + '\\n'); return id + '.txt:1-1 its file';";
const ONE_LINE =
  "const now = fs.readFileSync('shared.txt', 'utf8').trim(); fs.writeFileSync('shared.txt', now + ' ' + id + '\\n'); return 'shared.txt:1-1 its name';";

describe('workers', () => {
  it('work at tasks side by side, each in a copy and with variables of its own', () => {
    const one = project(named(3), { acts: OWN_FILE });
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 3 });
    const seen = one
      .read('.git/meet/all.log')
      .trim()
      .split('\n')
      .map((line) => line.split(' '));
    expect(new Set(seen.map(([, slot]) => slot))).toEqual(new Set(['1', '2', '3']));
    expect(new Set(seen.map(([, , port]) => port))).toEqual(new Set(['20000', '20010', '20020']));
    expect(new Set(seen.map(([, , , compose]) => compose)).size).toBe(3);
    expect(subjects(one)).toHaveLength(3);
    expect(one.git('status', '--porcelain', '--', '*.txt')).toBe('');
    expect(one.ralph('replay').stdout).toContain('0 differences');
  });

  it('are one by default, whose gates see what they see outside of ralph', () => {
    const one = project(named(2), { acts: OWN_FILE, workers: 1, together: 1 });
    expect(one.json('run')).toMatchObject({ exit_code: 0, iterations: 2 });
    expect(one.read('.git/meet/all.log')).not.toMatch(/\d{5}/);
  });

  it('start what depends on a task once that is verified', () => {
    const tasks = [
      '**T-1** Task 1',
      '**T-2** Task 2\n  - Depends on: T-1',
      '**T-3** Task 3\n  - Depends on: T-2',
    ];
    const acts = `if (id !== 'T-1' && !fs.existsSync('T-' + (Number(id.slice(2)) - 1) + '.txt')) throw new Error('too early'); ${OWN_FILE}`;
    const one = project(tasks, { acts, together: 1 });
    expect(one.json('run')).toMatchObject({ exit_code: 0, iterations: 3 });
    expect(subjects(one)).toEqual(['Task 1 (T-1)', 'Task 2 (T-2)', 'Task 3 (T-3)']);
  });

  it('are kept apart where tasks name the same files', () => {
    const tasks = ['**T-1** Task 1\n  - Files: shared.txt', '**T-2** Task 2\n  - Files: shared.txt'];
    const one = project(tasks, { acts: ONE_LINE, together: 1 });
    expect(one.json('run')).toMatchObject({ exit_code: 0, iterations: 2 });
    expect(one.iteration(2).facts.choice.workers).toEqual({ working: [], held: [] });
    expect(one.read('shared.txt')).toBe('start T-1 T-2\n');
  });
});

describe('a run of several workers that was killed', () => {
  it('is continued: each task lands once, with its work', async () => {
    // They wait for one more than there are, so all are at work when ralph ends.
    const one = project(named(3), { acts: OWN_FILE, together: 4 });
    const { child, ended } = one.start('run');
    for (const task of ['T-1', 'T-2', 'T-3']) await one.appears(`.git/meet/${task}`);
    child.kill('SIGKILL');
    await ended;
    const again = one.json('run');
    expect(again).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 3 });
    expect(subjects(one).toSorted()).toEqual(['Task 1 (T-1)', 'Task 2 (T-2)', 'Task 3 (T-3)']);
    expect(verdicts(one).filter((verdict) => verdict.endsWith(' done'))).toHaveLength(3);
  });
});

describe('work that conflicts with what landed meanwhile', () => {
  it('is done again on top of it, and loses no attempt: one line changed by four tasks', () => {
    const one = project(named(4), { acts: ONE_LINE });
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
    expect(one.read('shared.txt').trim().split(' ').toSorted()).toEqual([
      'T-1',
      'T-2',
      'T-3',
      'T-4',
      'start',
    ]);
    const all = verdicts(one);
    expect(all.filter((verdict) => verdict.endsWith(' done'))).toHaveLength(4);
    expect(all.filter((verdict) => !verdict.endsWith(' done')).every((it) => it.endsWith(' conflict'))).toBe(
      true,
    );
    expect(all.length).toBeGreaterThan(4);
    const again = one
      .iterations()
      .find((number) => one.iteration(number).facts.taskState.attempts.length > 0);
    expect(one.iteration(again ?? 0).facts.attempt).toBe(1);
    expect(one.promptOf(again ?? 0)).toContain('conflicts with that');
    expect(one.ralph('replay').stdout).toContain('0 differences');
  });

  it('is found where each passes the gates alone, and both together fail', () => {
    const acts = `
      if (id === 'T-2' && fs.existsSync('T-1.txt')) fs.writeFileSync('both.txt', 'both\\n');
      if (id === 'T-1' && fs.existsSync('T-2.txt')) fs.writeFileSync('both.txt', 'both\\n');
      ${OWN_FILE}`;
    const gate = 'test ! -e T-1.txt || test ! -e T-2.txt || grep both both.txt';
    const one = project(named(2), { acts, gate });
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done', iterations: 3 });
    const [red] = one
      .iterations()
      .map((number) => one.iteration(number))
      .filter(({ decisions }) => decisions.verdict.kind === 'conflict');
    expect(red?.facts.conflict).toMatchObject({ paths: [], gates: [{ gate: 'test' }] });
    expect(red?.decisions.findings).toEqual([]);
    expect(verdicts(one).filter((verdict) => verdict.endsWith(' done'))).toHaveLength(2);
    expect(one.read('both.txt')).toBe('both\n');
  });

  it.each<[string, string, string]>([
    [
      'a file that one task renames and the other edits',
      "if (id === 'T-1') { if (fs.existsSync('shared.txt')) fs.renameSync('shared.txt', 'moved.txt'); return 'moved.txt:1-1 moved'; }",
      'test -e moved.txt -o -e shared.txt',
    ],
    [
      'a file that one task deletes and the other edits',
      "if (id === 'T-1') { fs.rmSync('shared.txt', { force: true }); fs.writeFileSync('T-1.txt', '1\\n'); return 'T-1.txt:1-1 instead'; }",
      'true',
    ],
  ])('%s', (_what, first, gate) => {
    const acts = `${first}
      const file = fs.existsSync('shared.txt') ? 'shared.txt' : 'moved.txt';
      const now = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim() : '';
      fs.writeFileSync(file, now + ' ' + id + '\\n'); return file + ':1-1 its name';`;
    const one = project(named(2), { acts, gate });
    expect(one.json('run')).toMatchObject({ exit_code: 0, ending: 'all_done' });
    expect(subjects(one)).toHaveLength(2);
    const text = ['moved.txt', 'shared.txt'].filter((file) => one.exists(file)).map((file) => one.read(file));
    expect(text.join('')).toContain('T-2');
  });
});
