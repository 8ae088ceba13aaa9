/** @module-tag rest */

import { chmodSync, mkdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { blocked, claim, makeProject, type Project, projectAt } from '../helpers/cli.ts';
import { asOrdinaryUser, canBeOrdinary } from '../helpers/ordinary-user.ts';
import { paste } from '../helpers/ralph-on-path.ts';
import { makeRepository } from '../helpers/repository.ts';

const PLAN = `# Plan

## Tasks

- [ ] **T-1** Write the parser
- [ ] **T-2** Write the printer
- [ ] **T-3** Write the shell
  - Depends on: T-2
`;

/** T-1 is done, T-2 asks, and T-3 waits for T-2. */
const SCENARIO = JSON.stringify({
  steps: [
    { when: { task: 'T-1' }, do: [{ action: 'write', path: 'parser.js', content: 'parse\n' }, claim()] },
    {
      when: { task: 'T-2' },
      do: [blocked('Which printer?')],
    },
  ],
});
const FILES = { '.ralph/PRD.md': PLAN, '.ralph/scenario.json': SCENARIO };

/** Types a line, and checks that it is refused with this message and one way out. */
function isRefused(project: Project, typed: string, says: string | RegExp, next: string, code = 2): void {
  const { stdout, stderr, ...ended } = paste(project, typed);
  expect(stderr).toMatch(typeof says === 'string' ? `ralph: ${says}` : says);
  expect(stderr.match(/^ {2}Next: .*$/gm)).toEqual([`  Next: ${next}`]);
  expect(`${stdout}${stderr}`).not.toMatch(/^\s+at |undefined|should not have happened/m);
  expect(ended.code).toBe(code);
}

describe('after a run', () => {
  const project = makeProject(FILES);
  project.ralph('run');

  // Each way out ends with 0, or with the exit code behind it.
  const inputs: readonly (readonly [typed: string, says: string, next: string, works?: number])[] = [
    ['ralph statsu', "Unknown command 'statsu'. Did you mean status?", 'ralph status'],
    ['ralph frobnicate', "Unknown command 'frobnicate'.", 'ralph --help'],
    ['ralph list', "Unknown command 'list'. Did you mean tasks?", 'ralph tasks'],
    [
      'ralph feedback lst',
      "Unknown command 'feedback lst'. Did you mean feedback list?",
      'ralph feedback list',
    ],
    ['ralph review foo', "Unknown command 'review foo'.", 'ralph review --help'],
    ['ralph tasks lst', "Unknown command 'tasks lst'. Did you mean tasks list?", 'ralph tasks list'],
    ['ralph help tasks ad', "Unknown command 'tasks ad'. Did you mean tasks add?", 'ralph help tasks add'],
    ['ralph report --lst', "Unknown option '--lst'. Did you mean --list?", 'ralph report --list'],
    ['ralph report --sinc=8h', "Unknown option '--sinc'. Did you mean --since?", 'ralph report --since=8h'],
    ['ralph status --frob', "Unknown option '--frob'.", 'ralph status --help'],
    ['ralph run --task', '--task needs a value: --task <ids>.', 'ralph run --help'],
    ['ralph run --task --dry-run', '--task needs a value: --task <ids>.', 'ralph run --help'],
    ['ralph run --max-iterations two', "--max-iterations can't be 'two'. Use a whole", 'ralph run --help'],
    ['ralph run --workers 0', '--workers: expected 1 or more, found 0', 'ralph run --help'],
    [
      'ralph run --until 2020-01-01T07:00',
      "--until can't be '2020-01-01T07:00'. That time is past.",
      'ralph run --help',
    ],
    ['ralph run --agent claud', '--agent: expected an agent', 'ralph run --help'],
    [
      'ralph run T-2 --dry-run',
      "ralph run doesn't take the argument 'T-2'",
      'ralph run --task T-2 --dry-run',
      4,
    ],
    ['ralph run --task T-9', 'There is no task T-9.', 'ralph tasks'],
    ['ralph explain T-11', 'There is no task T-11. Did you mean T-1?', 'ralph tasks'],
    ['ralph status foo', "ralph status doesn't take the argument 'foo'.", 'ralph status --help'],
    ['ralph take', '<task> is missing.', 'ralph take --help'],
    ['ralph take T-9', 'There is no task T-9.', 'ralph tasks'],
    ['ralph land T-9', 'There is no task T-9.', 'ralph tasks'],
    ['ralph land T-2', 'Nothing of T-2 is verified.', 'ralph explain T-2'],
    ['ralph unblock', 'Which task? Blocked: T-2', 'ralph blocked --suggest'],
    ['ralph unblock T-1', "T-1 isn't blocked; it is done.", 'ralph explain T-1'],
    ['ralph unblock T-3', "T-3 isn't blocked itself; it waits for T-2.", 'ralph blocked --suggest'],
    ['ralph answer T-1 yes', 'T-1 asks nothing.', 'ralph answer'],
    ['ralph report r-2020', 'There is no run r-2020.', 'ralph report latest'],
    ['ralph replay r-2020', 'There is no run r-2020.', 'ralph replay latest'],
    ['ralph logs 99', 'There is no iteration 99. Known: 1 to 2.', 'ralph logs'],
    ['ralph diff T-3', 'No attempt at T-3 is on record.', 'ralph diff'],
    ['ralph rollback nosuch', 'There is no checkpoint nosuch.', 'ralph checkpoints'],
    ['ralph resume', 'No incident is open.', 'ralph run', 4],
    ['ralph continue', 'No run is active here.', 'ralph run', 4],
    ['ralph stop', 'No run is active here.', 'ralph status'],
    [
      'ralph interventions --severity criticl',
      "--severity criticl isn't known.",
      'ralph interventions --severity critical',
    ],
    ['ralph completion bsh', "<shell> can't be 'bsh'.", 'ralph completion bash'],
    [
      'ralph metrics --format prom',
      "--format 'prom' isn't a form of output. Did you mean prometheus?",
      'ralph metrics --format prometheus',
    ],
  ];
  it('a page in a folder that is not there', () => {
    const folder = project.path('out');
    const typed = 'ralph report --html out/x.html';
    const says = `${folder}/x.html can't be written: there is no folder ${folder}.`;
    isRefused(project, typed, says, `mkdir -p ${folder}`, 1);
    paste(project, `mkdir -p ${folder}`);
    expect(paste(project, typed).code).toBe(0);
  });

  it.each(inputs.map(([typed, says, next, works = 0]) => ({ typed, says, next, works })))(
    '$typed',
    ({ typed, says, next, works }) => {
      isRefused(project, typed, says, next);
      const out = paste(project, next);
      expect([out.code, out.stderr]).toEqual([works, '']);
    },
  );
});

describe('where a run cannot start', () => {
  const SCRIPTED = '[loop]\nagent = "scripted"\n';
  const correct = (toml: string) => (project: Project) => project.write('.ralph/ralph.toml', toml);
  const at = (root: string) => projectAt(root);

  // Where the way out isn't a command, `out` does it; then the first line is typed again.
  it.each<{
    readonly name: string;
    readonly make: () => Project;
    readonly typed: string;
    readonly says: string;
    readonly next: string;
    readonly code?: number;
    readonly out?: (project: Project) => void;
    readonly works?: number;
  }>([
    {
      name: 'no list of tasks',
      make: () => at(makeRepository().root),
      ...{ typed: 'ralph tasks', says: 'There is no task list yet', next: 'ralph init' },
    },
    {
      name: 'an empty list of tasks',
      make: () => makeProject({ '.ralph/PRD.md': '# Plan\n', '.ralph/scenario.json': SCENARIO }),
      ...{ typed: 'ralph run --dry-run', says: '.ralph/PRD.md: there are no tasks in it.' },
      next: 'ralph tasks add "Add a README"',
    },
    {
      name: 'an unknown dependency',
      make: () =>
        makeProject({ ...FILES, '.ralph/PRD.md': '## Tasks\n- [ ] **A-1** a\n  - Depends on: A-2\n' }),
      ...{ typed: 'ralph run --dry-run', says: '.ralph/PRD.md:3: A-1 depends on A-2' },
      next: 'Correct it in .ralph/PRD.md:3.',
      out: (project) => project.write('.ralph/PRD.md', '## Tasks\n- [ ] **A-1** a\n'),
    },
    {
      name: 'a list that is a folder',
      make: () => {
        const project = makeProject(FILES);
        project.remove('.ralph/PRD.md');
        mkdirSync(project.path('.ralph/PRD.md'));
        return project;
      },
      ...{ typed: 'ralph tasks', says: '.ralph/PRD.md cannot be read: it is a folder.' },
      next: 'mv ROOT/.ralph/PRD.md ROOT/.ralph/PRD.md.old && ralph init',
    },
    {
      name: 'TOML that is broken',
      make: () => makeProject({ ...FILES, '.ralph/ralph.toml': '[loop\n' }),
      ...{ typed: 'ralph run --dry-run', says: ".ralph/ralph.toml:1: column 6: isn't valid TOML" },
      ...{ next: 'Correct it in .ralph/ralph.toml:1.', out: correct(SCRIPTED) },
    },
    {
      name: 'an unknown key',
      make: () => makeProject({ ...FILES, '.ralph/ralph.toml': '[loop]\nagnet = "scripted"\n' }),
      ...{ typed: 'ralph run --dry-run', says: '.ralph/ralph.toml:2: unknown key "agnet" in [loop]' },
      ...{ next: 'Correct it in .ralph/ralph.toml:2.', out: correct(SCRIPTED) },
    },
    {
      name: 'a value of the wrong type',
      make: () => makeProject({ ...FILES, '.ralph/ralph.toml': `${SCRIPTED}max_iterations = "many"\n` }),
      ...{ typed: 'ralph status', says: '.ralph/ralph.toml:3: [loop] max_iterations: expected a number' },
      ...{ next: 'Correct it in .ralph/ralph.toml:3.', out: correct(SCRIPTED) },
    },
    {
      name: 'no gates',
      make: () => makeProject(FILES),
      ...{ typed: 'ralph gates', says: 'There are no gates.' },
      next: 'Name your checks in .ralph/ralph.toml: [gates] commands = ["npm test"]',
      out: correct(`${SCRIPTED}[gates]\ncommands = ["true"]\n`),
    },
    {
      name: 'a gate that is not there',
      make: () => makeProject({ ...FILES, '.ralph/ralph.toml': `${SCRIPTED}[gates]\ncommands = ["true"]\n` }),
      ...{ typed: 'ralph gates tset', says: 'There is no gate tset. Known: true.', next: 'ralph gates' },
      works: 2,
    },
    {
      name: 'no scenario of the scripted agent',
      make: () => makeProject({ '.ralph/PRD.md': PLAN }),
      ...{
        typed: 'ralph run --dry-run',
        says: "The scripted agent plays .ralph/scenario.json, which doesn't",
      },
      ...{
        next: 'ralph run --agent auto',
        out: (project) => project.write('.ralph/scenario.json', SCENARIO),
      },
    },
    {
      name: 'a file in the place of .ralph',
      make: () => at(makeRepository({ '.ralph': 'x\n' }).root),
      ...{ typed: 'ralph init', says: ".ralph/ can't be used.", next: 'mv ROOT/.ralph ROOT/.ralph.old' },
      code: 1,
      works: 2,
    },
  ])('$name', ({ make, typed, says, next, code, out, works = 0 }) => {
    const project = make();
    const named = next.replaceAll('ROOT', project.root);
    isRefused(project, typed, says, named.replace(' && ralph init', ''), code);
    if (out === undefined) paste(project, named);
    else out(project);
    const { stderr, ...again } = paste(project, typed);
    expect([again.code, stderr]).toEqual([works, works === 0 ? '' : stderr]);
  });
});

it.runIf(canBeOrdinary)('without rights on .ralph the command that gives them is named', () => {
  const project = makeProject(FILES);
  const { ralph, give } = asOrdinaryUser(project.root);
  give();
  for (const [mode, args] of [
    [0o555, ['tasks', 'add', 'x']],
    [0o000, ['status']],
    [0o000, ['init', '--yes']],
  ] as const) {
    chmodSync(project.path('.ralph'), mode);
    expect(ralph(...args).stderr).toContain(`\n  Next: chmod u+rwx ${project.path('.ralph')}\n`);
  }
  chmodSync(project.path('.ralph'), 0o755);
  expect(ralph('status').status).toBe(0);
});

it('a variable that sets a wrong form of output is named', () => {
  const project = makeProject(FILES);
  const set = 'RALPH_FORMAT=xml; export RALPH_FORMAT';
  isRefused(project, `${set}; ralph status`, "RALPH_FORMAT 'xml' isn't a form", 'unset RALPH_FORMAT');
  expect(paste(project, `${set}; unset RALPH_FORMAT; ralph status`).code).toBe(0);
});

it('a title of several words needs no quotes', () => {
  const project = makeProject(FILES);
  expect(paste(project, 'ralph tasks add Write the manual').stdout).toContain('Added T-4');
  expect(project.json('tasks').tasks.at(-1)).toMatchObject({ title: 'Write the manual' });
});

it.runIf(process.platform === 'linux')('output that cannot be written is a message, with exit code 1', () => {
  const { code, stderr } = paste(makeProject(FILES), 'ralph tasks > /dev/full');
  expect([code, stderr.split(':').slice(0, 2)]).toEqual([1, ['ralph', " The output can't be written"]]);
});
