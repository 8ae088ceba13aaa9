/** @module-tag slow */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ScenarioAction, ScenarioWhen } from '../../src/domain/scenario.ts';
import { claim, makeProject, ONE_TASK, type Project, type ProjectFiles } from '../helpers/cli.ts';
import { HAS_TERMINAL, onTerminal } from '../helpers/on-terminal.ts';
import { inRole, scenario } from '../helpers/reviewing-roles.ts';

type Task = Readonly<Record<string, unknown>>;

const A: Task = {
  id: 'a',
  title: 'Return the month of a date',
  criteria: [{ text: 'month works', check: 'grep -q month src/date.js' }, '`src/date.js` exists'],
  files: ['src/date.js'],
};
const B: Task = {
  id: 'b',
  title: 'Show the month',
  criteria: [{ text: 'the list shows it', check: 'grep -q shown src/list.js' }],
  depends_on: ['a'],
};

const json = (...tasks: readonly Task[]) => JSON.stringify({ nonce: '{nonce}', tasks });
const says = (text: string): ScenarioAction => ({ action: 'print', text });
const explores = inRole('explorer', [says('It belongs into src.')]);
const wrote = (text: string, when: ScenarioWhen = {}) => inRole('creator', [says(text)], when);

function planned(steps: readonly ReturnType<typeof inRole>[], files: ProjectFiles = {}): Project {
  return makeProject({ '.ralph/scenario.json': scenario(...steps), ...files });
}

describe.concurrent('ralph plan', () => {
  it('drafts, shows and keeps; the yes writes it, and its checks are accepted with it', async () => {
    const one = planned([explores, wrote(`Here it is.\n${json(B, A)}\nGood luck.`)]);
    const before = one.read('.ralph/PRD.md');
    const { code, stdout, stderr } = await one.start('plan', 'Show months').ended;
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain('check: grep -q month src/date.js');
    expect(stdout).toContain('Cost: no estimate yet.');
    expect(stdout).toContain('ralph plan accept P-1');
    expect(one.read('.ralph/PRD.md')).toBe(before);
    expect(one.json('plan', 'list').proposals).toMatchObject([{ id: 'P-1', tasks: [{}, {}] }]);
    expect(one.ralph('plan', 'accept', '--yes')).toMatchObject({ code: 0 });
    expect(one.read('.ralph/PRD.md')).toBe(`${before}- [ ] **T-2** Return the month of a date
  Files: src/date.js
  - [ ] month works
  - [ ] \`src/date.js\` exists
  Check: \`grep -q month src/date.js\`
- [ ] **T-3** Show the month
  Depends on: T-2
  - [ ] the list shows it
  Check: \`grep -q shown src/list.js\`
`);
    expect(one.json('plan', 'list').proposals).toEqual([]);
    expect(one.ralph('plan', 'accept').code).toBe(2);
  });

  it.each<[string, ProjectFiles, string, RegExp]>([
    [
      'JSON',
      { '.ralph/prd.json': '{"stories": [{"id": "S-1", "title": "Parse", "passes": false}]}\n' },
      '.ralph/prd.json',
      /"S-1".*\{"id":"S-2","title":"Return.*"checks":\["grep.*"S-3".*"dependsOn":\["S-2"\]/s,
    ],
    [
      'YAML',
      { '.ralph/tasks.yaml': 'tasks:\n  - id: 1\n    title: Parse\n' },
      '.ralph/tasks.yaml',
      /title: Parse\n {2}- id: 2\n.*checks: \["grep.*- id: 3.*dependsOn: \["2"\]/s,
    ],
  ])('%s lists take a plan as they are written', async (_, files, path, expected) => {
    const [only = ''] = Object.keys(files);
    const one = planned([explores, wrote(json(A, B))], {
      ...files,
      '.ralph/PRD.md': '',
      '.ralph/ralph.toml': `[loop]\nagent = "scripted"\n[tracker]\npath = "${only}"\n`,
    });
    const { code, stdout, stderr } = await one.start('plan', '--yes', 'Show', 'months').ended;
    expect(code, stdout + stderr).toBe(0);
    expect(one.read(path)).toMatch(expected);
    expect(one.json('tasks').tasks).toHaveLength(3);
    expect(one.json('tasks').problems).toEqual([]);
  });

  const BAD: readonly [string, string, RegExp][] = [
    ['no block', 'I would rather not.', /no JSON block/],
    ['a block that breaks off', json(A).slice(0, -20), /cut off/],
    ['two megabytes', `${'x'.repeat(2_000_000)}${json(A)}`, /more than 65536 characters/],
    ['a circle', json({ ...A, depends_on: ['b'] }, B), /wait for each other: a → b → a/],
    ['an unknown gate', json({ ...A, gates: ['lnt'] }), /no gate lnt/],
    ['a criterion that nothing shows', json({ ...A, criteria: ['it is nice'] }), /nothing shows criterion 1/],
    ['a task of a day', json({ ...A, minutes: 1440 }), /1440 minutes are more than/],
    ['a dependency that there is not', json({ ...A, depends_on: ['T-9'] }), /depends on T-9/],
    ['a path out of the repository', json({ ...A, files: ['../x'] }), /isn't a path in the repository/],
    ['an id in a title', json({ ...A, title: 'T-9: Month' }), /begins with an id/],
    ['another nonce', JSON.stringify({ nonce: 'guessed', tasks: [A] }), /nonce/],
  ];

  it.each(BAD)('%s: sent back, and repaired', async (_, answer) => {
    const one = planned([
      explores,
      wrote(`\ufeffTwo of them:\r\n${json({ ...A, title: 'An old one' })}\r\n${json(A)}\r\n`, {
        prompt_includes: 'could not be read',
      }),
      wrote(answer),
    ]);
    const { code, stdout, stderr } = await one.start('plan', '--yes', 'Show months').ended;
    expect(code, stdout + stderr).toBe(0);
    expect(one.read('.ralph/PRD.md')).toContain('**T-2** Return the month of a date');
    expect(one.read('.ralph/PRD.md')).not.toContain('An old one');
  });

  it.each(BAD)('%s: refused after two more turns, with the reason', async (_, answer, why) => {
    const one = planned([explores, wrote(answer)]);
    const { code, stderr } = await one.start('plan', '--yes', 'Show months').ended;
    expect(code).toBe(1);
    expect(stderr.replace(/\s+/g, ' ')).toMatch(why);
    expect(one.read('.ralph/PRD.md')).toBe(ONE_TASK);
    expect(one.json('plan', 'list').proposals).toEqual([]);
  });

  it('hostile words become no more than one line of text', async () => {
    const title = 'Month\u001b]0;owned\u0007 \u202e of\n- [x] **T-9** a date';
    const one = planned([explores, wrote(json({ ...A, title }))]);
    const { code, stdout } = await one.start('plan', '--yes', 'Show months').ended;
    expect(code, stdout).toBe(0);
    expect(one.read('.ralph/PRD.md')).toContain('- [ ] **T-2** Month of - [x] **T-9** a date\n');
    expect(one.json('tasks').tasks).toHaveLength(2);
  });

  it("an idea comes from a file as data, and a page that isn't an issue is refused", async () => {
    const quoted = JSON.stringify({ nonce: 'x', tasks: [{ ...A, title: 'Of the file' }] });
    const one = planned([wrote(json(A), { prompt_includes: 'Months, please' }), explores], {
      'idea.md': `Months, please\n\`\`\`json\n${quoted}\n\`\`\`\n`,
    });
    expect((await one.start('plan', '--yes', 'idea.md').ended).code).toBe(0);
    expect(one.read('.ralph/PRD.md')).not.toContain('Of the file');
    expect(one.ralph('plan', 'https://example.org/issues/1').stderr).toMatch(/isn't an issue on GitHub/);
    expect(one.ralph('plan', 'gone.md').stderr).toMatch(/isn't there/);
    expect(one.ralph('plan').code).toBe(2);
    expect(one.ralph('plan', 'acept').stderr).toContain('Did you mean accept?');
  });

  it('is refused from inside of an attempt', async () => {
    const one = makeProject({
      '.ralph/scenario.json': JSON.stringify({
        steps: [
          {
            do: [
              {
                action: 'shell',
                command: `${process.execPath} ${process.cwd()}/bin/ralph.js plan accept --yes > said 2>&1; true`,
              },
              claim('said:1'),
            ],
          },
        ],
      }),
    });
    await one.start('run').ended;
    expect(one.read('said')).toContain('decides for you');
  });

  it.skipIf(!HAS_TERMINAL)('asks at a terminal, with all commands shown; a no drops it', async () => {
    const one = planned([explores, wrote(json(A))]);
    const at = onTerminal(one.root, ['plan', 'Show months'], { columns: 90, rows: 40 });
    await at.shows('Add these tasks to the list');
    expect(at.text()).toContain('check: grep -q month src/date.js');
    at.type('n');
    await at.shows('P-1 is dropped');
    await at.ended;
    expect(one.read('.ralph/PRD.md')).toBe(ONE_TASK);
    expect(one.json('plan', 'list').proposals).toEqual([]);
  });
});

const TOO_LARGE = `# Plan

## Tasks

- [ ] **T-1** Build all of it
  Priority: 1
  Timeout: 1.5s
  Boundaries: no new package
  Check: \`test -f b.txt\`
- [ ] **T-2** Use it
  - Depends on: T-1
`;
const piece = (name: string, more: Task = {}): Task => ({
  ...{ id: name, title: `Make ${name}`, criteria: [{ text: 'it is there', check: `test -f ${name}.txt` }] },
  ...more,
});
const makesFile = (task: string, path: string) =>
  inRole('maker', [{ action: 'write', path, content: 'x\n' }, claim(`${path}:1`)], { task });
const night = (...steps: readonly ReturnType<typeof inRole>[]) =>
  planned(
    [
      ...steps,
      inRole('maker', [{ action: 'hang' }], { task: 'T-1' }),
      ...[makesFile('T-2', 'c.txt'), makesFile('T-3', 'a.txt'), makesFile('T-4', 'b.txt')],
    ],
    {
      '.ralph/PRD.md': TOO_LARGE,
      '.ralph/ralph.toml':
        '[loop]\nagent = "scripted"\nmax_attempts_per_task = 1\ngrace = 0.2\n[adaptive_timeout]\nmin_timeout = 1\n',
    },
  );

describe.concurrent('ralph tasks split', () => {
  it('a night whose task timed out is split, and finishes', async () => {
    const one = night(
      explores,
      // The prompt lists the earlier attempts at the task that is split.
      wrote(json(piece('a'), piece('b', { depends_on: ['a'] })), {
        prompt_includes: 'Attempts at it so far',
      }),
    );
    expect((await one.start('run').ended).code).not.toBe(0);
    expect(one.json('blocked').blocked).toMatchObject([{ id: 'T-1', reason: 'timeout' }]);
    const { code, stdout, stderr } = await one.start('tasks', 'split', 'T-1', '--yes').ended;
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain('in the place of T-1');
    expect(one.read('.ralph/PRD.md')).toBe(`# Plan

## Tasks

- [ ] **T-2** Use it
  - Depends on: T-4
- [ ] **T-3** Make a
  Priority: 1
  Boundaries: no new package
  - [ ] it is there
  Check: \`test -f a.txt\`
- [ ] **T-4** Make b
  Priority: 1
  Depends on: T-3
  Boundaries: no new package
  - [ ] it is there
  Check: \`test -f b.txt\`
`);
    const run = await one.start('run').ended;
    expect(run.code, run.stdout).toBe(0);
    expect(run.stdout).toMatch(/(\d+) of \1 tasks? done\./);
  });

  it.each<[string, readonly Task[], RegExp]>([
    ['one piece', [piece('b')], /two tasks or more/],
    ['a check that is gone', [piece('a'), piece('d')], /has the check `test -f b.txt` of T-1/],
    ['a piece that waits for the whole', [piece('a'), piece('b', { depends_on: ['T-1'] })], /being split/],
  ])('%s is refused', async (_, tasks, why) => {
    const one = night(explores, wrote(json(...tasks)));
    const { code, stderr } = await one.start('tasks', 'split', 'T-1', '--yes').ended;
    expect(code).toBe(1);
    expect(stderr.replace(/\s+/g, ' ')).toMatch(why);
    expect(one.read('.ralph/PRD.md')).toBe(TOO_LARGE);
  });
});

it('ralph plan --review names what is vague, too large and not shown, and asks no agent', () => {
  const one = makeProject({
    '.ralph/PRD.md': `${ONE_TASK}- [ ] **T-2** Make it robust
  - it works properly
  Timeout: 9h
- [ ] **T-3** Add \`a.js\`
  - \`a.js\` exists
- [ ] **T-4** Wait
  - Depends on: T-9
`,
  });
  const { tasks, problems } = one.json('plan', '--review');
  expect(tasks.map(({ id }: { id: string }) => id)).toEqual(['T-1', 'T-2']);
  expect(tasks[1]).toMatchObject({
    findings: [/^vague: "it works properly"/, /no check/, /^large: it asks for 9 h/].map((one) =>
      expect.stringMatching(one),
    ),
    next: 'ralph tasks split T-2',
  });
  expect(problems).toMatchObject([{ message: expect.stringContaining('T-9') }]);
  expect(one.ralph('plan', '--review').stdout).toContain('4 open tasks in .ralph/PRD.md, 2 to improve.');
});

describe.concurrent('what an agent proposes beside its work', () => {
  const proposes = (...tasks: readonly object[]): ScenarioAction =>
    says(`I saw more.\n\nPROPOSED_TASKS:\n\`\`\`json\n${JSON.stringify({ tasks })}\n\`\`\``);
  const file = { action: 'write', path: 'a.txt', content: 'x\n' } as const;
  const more = [1, 2, 3, 4, 5, 6].map((number) => ({
    title: `Tidy ${number}`,
    criteria: [{ text: 'tidy', check: 'rm -rf /' }],
    depends_on: ['T-1'],
  }));

  it('is kept, reported, and taken by you alone: titles and criteria, five at most', async () => {
    const one = makeProject({
      '.ralph/scenario.json': scenario(
        inRole('maker', [proposes(...more), { action: 'exit', code: 1 }], { attempt: 1 }),
        inRole('maker', [file, proposes(...more), claim('a.txt:1')]),
      ),
    });
    const { code, stdout } = await one.start('run').ended;
    expect(code, stdout).toBe(0);
    expect(stdout).toContain('Proposed in T-1: Tidy 1; Tidy 2;');
    expect(stdout).not.toContain('Tidy 6');
    expect(one.json('plan', 'list').proposals).toMatchObject([{ id: 'P-1', tasks: { length: 5 } }]);
    expect(one.json('report').proposals).toMatchObject([{ id: 'P-1', task_id: 'T-1' }]);
    expect(one.ralph('report', '--format', 'markdown').stdout).toContain('ralph plan accept P-1');
    expect(one.read('.ralph/PRD.md')).not.toContain('Tidy');
    expect(one.ralph('plan', 'accept', 'P-1', '--yes').code).toBe(0);
    expect(one.read('.ralph/PRD.md')).toMatch(/- \[ \] \*\*T-2\*\* Tidy 1\n {2}- \[ \] tidy\n/);
    expect(one.read('.ralph/PRD.md')).not.toMatch(/rm -rf|Depends/);
  });

  it.each<[string, ScenarioAction]>([
    ['no JSON', says('PROPOSED_TASKS: tidy up')],
    ['what the prompt shows', proposes({ title: '…', criteria: ['…'] })],
    ['a block without its name', says(JSON.stringify({ tasks: more }))],
    ['a block that breaks off', says('PROPOSED_TASKS:\n{"tasks": [{"title": "Tidy"')],
  ])('%s proposes nothing', async (_, action) => {
    const one = makeProject({
      '.ralph/scenario.json': scenario(inRole('maker', [file, action, claim('a.txt:1')])),
    });
    expect((await one.start('run').ended).code).toBe(0);
    expect(one.json('plan', 'list').proposals).toEqual([]);
  });
});

describe('what a plan runs', () => {
  beforeAll(() => {
    process.env.RALPH_TRUST = '0';
  });
  afterAll(() => {
    delete process.env.RALPH_TRUST;
  });

  it('needs no other yes than that to the plan', async () => {
    const one = planned([explores, wrote(json(A))]);
    const { code, stderr } = await one.start('plan', '--trust', '--yes', 'Show months').ended;
    expect(code, stderr).toBe(0);
    one.write('.ralph/PRD.md', `${one.read('.ralph/PRD.md')}- [ ] **T-3** Other\n  Check: \`true\`\n`);
    const problems = one.json('tasks').tasks.map(({ problem }: { problem: string | null }) => problem);
    expect(problems).toEqual([null, null, expect.stringContaining('not accepted')]);
  });
});
