import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { COMMANDS } from '../../src/cli/registry.ts';
import { appears, BIN, blocked, claim, projectAt, withoutBox, write } from '../helpers/cli.ts';
import { FOREIGN, makeForeign, settingsOfYours, TASKS } from '../helpers/do.ts';
import { ENGINES } from '../helpers/engines.ts';
import { fleetProject, reportOf } from '../helpers/fleet.ts';
import { at, expectOf, HONEST, inAttempt, type NightProject, night, shell } from '../helpers/night.ts';
import { HAS_TERMINAL, onTerminal } from '../helpers/on-terminal.ts';
import { serveSite } from '../helpers/page/site.ts';
import { makeRepository, temporaryFolder } from '../helpers/repository.ts';
import { inRole } from '../helpers/reviewing-roles.ts';
import { FIX, strange } from '../helpers/strange-project.ts';
import { named, OWN_FILE } from '../helpers/workers.ts';

withoutBox();

const SUITES = join(import.meta.dirname, '../../templates/suites');

/** T-1 is done at the second attempt, T-2, T-4 and T-5 give up, T-3 has to wait. */
const NIGHT = night(
  'Write the parser\n  - `parser.js` exists',
  'Write the printer',
  'Write the shell\n  - Depends on: T-2',
  'Write the lexer',
  'Write the linker',
)
  .gate('test -e README.md')
  .toml('[notify]\ncommand = "cat >> PLACE/notified"')
  .agent(
    { when: { task: 'T-1', feedback: false }, do: [claim('parser.js:1-9 invented')] },
    at(
      'T-1',
      { action: 'print', text: 'Here is \u001b[31mthe parser\u001b[0m at last.' },
      write('parser.js', 'parse\n'),
      claim('parser.js:1 parses'),
    ),
    inAttempt('T-2', 1, write('printer.js', 'half\n'), blocked('Which printer?')),
    inAttempt('T-4', 1, blocked('There is no alphabet.')),
    ...[1, 2, 3].map((attempt) => inAttempt('T-5', attempt, claim())),
    HONEST,
  );

type Walk = (one: NightProject) => unknown;

/**
 * Returns a walk that types this line, which has to end with 0 and print these words; without a terminal they have no
 * colours.
 */
function says(line: string, ...words: readonly string[]): Walk {
  return async (one) => {
    const ended = await one.start(...line.split(' ')).ended;
    expectOf(one, ended, { code: 0, says: words });
    expect(ended.stdout).not.toContain('\u001b');
    expect(ended.stdout).not.toMatch(/undefined|\[object|\bNaN\b/);
  };
}

/** Walks that follow `NIGHT` in this order; a key names all commands that its walk shows. */
const AFTER: Readonly<Record<string, Walk>> = {
  run: (one) =>
    expectOf(one, one.ralph('run'), {
      ending: 'all_blocked',
      code: 4,
      tasks: { 'T-1': 'done', 'T-2': 'blocked', 'T-3': 'open', 'T-4': 'blocked', 'T-5': 'blocked' },
      verdicts: ['no_files', 'done', 'agent_blocked', 'agent_blocked', 'no_files', 'no_files', 'no_files'],
    }),
  status: says(
    'status',
    '1 of 5 tasks done, 3 need you',
    '.ralph/PRD.md',
    'No run is active.',
    'Last run: r-',
  ),
  info: says('info', 'loop.agent "scripted"', 'git.commit "on_done"'),
  watch: HAS_TERMINAL
    ? async ({ root }) => {
        const screen = onTerminal(root, ['watch'], { columns: 80, rows: 24 });
        await screen.shows(/1 of 5 done/);
        screen.type('q');
        expect(await screen.ended).toMatchObject({ code: 0 });
      }
    : says('watch', 'no run is active, 1 of 5 tasks done'),
  page: async (one) => {
    const site = await serveSite(one);
    onTestFinished(() => void site.child.kill());
    await site.enter();
    const { headers } = await site.ask('/');
    const { status, body } = await site.ask(headers.location ?? '');
    expect([status, body]).toEqual([200, expect.stringContaining('Write the printer')]);
  },
  report: says('report', '1 of 5 tasks done', 'All checks pass: test.', 'exit code 4', 'Which printer?'),
  logs: says('logs 2', '#2 T-1 Write the parser', 'done, scripted, attempt 2', 'Here is the parser at last.'),
  diff: says('diff T-1', '+++ b/parser.js', '+parse'),
  review: says('review rules', 'deletion_outside', 'write_git_folder'),
  interventions: says(
    'interventions',
    'T-1 scripted claimed done, changed nothing → warned; fixed in the next attempt',
    'T-2 scripted said that it is blocked: Which printer? → task blocked',
  ),
  explain: says('explain T-3', 'T-3 Write the shell', "can't be started: waiting for T-2"),
  prompt: says('prompt T-3', 'Write the shell', 'RALPH_STATUS', 'REQUIRED: Evidence of File Writes'),
  profile: says('profile', 'scripted: 7 iterations, 1 task done', 'no files 4, false completions 4'),
  metrics: says('metrics', 'iterations 7', 'tasks done 1, blocked 3'),
  replay: says('replay', '#2 T-1, done: same', 'end: rest blocked: same', '0 differences'),
  tasks: says('tasks', 'T-1 done Write the parser', 'T-2 blocked 1 attempt Write the printer'),
  lessons: says('lessons', 'What fixed it in T-1 changed `parser.js`.'),
  feedback: says('feedback add Use the tokenizer', 'Use the tokenizer'),
  gates: says('gates', '✔ test passed', 'All checks pass.'),
  doctor: says('doctor', 'All is well.'),
  blocked: says('blocked --suggest', 'There is no alphabet.', 'ralph answer T-2 "…"'),
  checkpoints: says('checkpoints', 'work of T-2', 'before iteration 1'),
  work: says('work path', '/files'),
  whitelist: says('whitelist add test_skip --reason known', 'test_skip is allowed in every file until'),
  land: says('land', 'Nothing waits: all that is verified is on your branch.'),
  rollback: says('rollback', 'Nothing was changed.'),
  trust: says('trust --list', 'test: sh check.sh', 'Not accepted.'),
  completion: says('completion bash', 'complete'),
  hook: says('hook install claude --yes', '.claude/settings.json'),
  notify: says('notify test', 'command'),
  import: says('import', 'No attempts and no blocked tasks of ralph-gold are here.'),
  mcp: async ({ root }) => {
    const client = new Client({ name: 'test', version: '1' });
    const env = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']));
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp'], cwd: root, env }),
    );
    onTestFinished(() => client.close());
    const { content } = await client.callTool({ name: 'tasks', arguments: {} });
    expect(JSON.stringify(content)).toContain('Write the printer');
  },
  take: async (one) => {
    await says('take T-2', 'The work at T-2 is in your checkout')(one);
    expect(one.read('printer.js')).toBe('half\n');
  },
  answer: says('answer T-2 Green', 'T-2'),
  unblock: says('unblock T-4', 'T-4 is unblocked: Write the lexer'),
  'retry-blocked': (one) =>
    expectOf(one, one.ralph('retry-blocked'), {
      code: 4,
      says: ['Retried 1 task: 0 done, 1 blocked again.'],
    }),
};

/** Walks that need a project of their own. */
const ALONE: Readonly<Record<string, () => unknown>> = {
  step: () =>
    night('Write one', 'Write two')
      .agent(HONEST)
      .ralph('step')
      .expect({ tasks: { 'T-1': 'done', 'T-2': 'open' } }),
  plan: async () => {
    const tasks = [
      { id: 'a', title: 'Show the month', criteria: [{ text: 'it', check: 'grep -q month list.js' }] },
    ];
    const drafted = JSON.stringify({ nonce: '{nonce}', tasks });
    const one = await night('Write one')
      .agent(
        inRole('explorer', [{ action: 'print', text: 'It belongs here.' }]),
        inRole('creator', [{ action: 'print', text: drafted }]),
      )
      .ralph('plan', 'Show months')
      .expect({ code: 0, says: ['Show the month', 'ralph plan accept P-1'] });
    await says('plan accept --yes')(one);
    expect(one.read('.ralph/PRD.md')).toContain('- [ ] **T-2** Show the month');
  },
  'pause continue workers queue stop': async () => {
    const one = night('Write one', 'Write two', 'Write three')
      .agent(shell('touch PLACE/{task}; until test -e PLACE/{task}.go; do sleep 0.02; done'), ...HONEST.do)
      .make();
    const run = one.start('run');
    const atWorkOn = (task: string) => appears(`${one.place}/${task}`);
    const go = (task: string) => writeFileSync(`${one.place}/${task}.go`, '');
    await atWorkOn('T-1');
    await says('workers', 'T-1')(one);
    await says('queue', 'T-2')(one);
    await says('pause')(one);
    go('T-1');
    await run.says('paused since');
    await says('continue')(one);
    await atWorkOn('T-2');
    await says('stop')(one);
    go('T-2');
    expectOf(one, await run.ended, {
      ending: 'stopped',
      tasks: { 'T-1': 'done', 'T-2': 'done', 'T-3': 'open' },
    });
  },
  'approvals incidents resume': async () => {
    const key = `AKIA${'Q7ZP4M2X9KD3V8TB'}`;
    const one = await night('Write the sum', 'Write the settings')
      .files({ 'a.test.js': "it('adds', () => {});\n" })
      .gate('echo "ok 1 - adds"')
      .agent(
        at('T-1', write('a.test.js', "it.skip('adds', () => {});\n"), claim('a.test.js:1 it')),
        write('src/key.js', `export const key = "${key}";\n`),
        claim('src/key.js:1 it'),
      )
      .run()
      .expect({ ending: 'emergency_stop', tasks: { 'T-1': 'parked' } });
    await says('approvals', 'G-1', 'T-1')(one);
    await says('approvals decide G-1 reject --reason no')(one);
    await says('incidents', 'INC-1')(one);
    await says('resume INC-1 --option abort --reason no')(one);
    expect(one.json('tasks').tasks).toMatchObject([{ status: 'open' }, { status: 'blocked' }]);
  },
  fleet: async () => {
    if (!ENGINES[0].isHere) return;
    const fleet = await fleetProject(named(1), { acts: OWN_FILE });
    onTestFinished(fleet.server.stop);
    const worker = fleet.worker('one', fleet.place());
    expect(await reportOf(fleet.coordinate())).toMatchObject({ exit_code: 0, ending: 'all_done' });
    worker.child.kill('SIGTERM');
    expect((await worker.ended).stdout).toContain('T-1: delivered');
  },
  verify: () => {
    const one = strange();
    for (const [name, text] of Object.entries(FIX)) one.write(name, text);
    expect(one.json('verify')).toMatchObject({ exit_code: 0, verdict: 'verified', files: 2 });
  },
  init: () => {
    const one = projectAt(makeRepository({ 'package.json': '{"scripts":{"test":"node --test"}}\n' }).root);
    expect(one.json('init', '--agent', 'scripted')).toMatchObject({ exit_code: 0, gates: ['npm test'] });
    expect(one.read('.ralph/ralph.toml')).toContain('commit = "on_done"');
  },
  demo: () => {
    const { code, stdout } = projectAt(temporaryFolder()).ralph('demo');
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 false claims caught: T-1, T-2.')]);
  },
  eval: () => {
    const one = projectAt(temporaryFolder());
    const suite = JSON.parse(readFileSync(join(SUITES, 'study', 'suite.json'), 'utf8'));
    const tasks = [{ id: 'T-1', title: 'Fix the totals', level: 'simple', behaviour: 'honest' }];
    one.write('small/suite.json', JSON.stringify({ ...suite, name: 'small', about: 'one task', tasks }));
    expect(one.ralph('eval', 'small', '--arms', 'full', '--seeds', '1', '--out', 'out')).toMatchObject({
      code: 0,
    });
    expect(one.exists('out/results.json')).toBe(true);
  },
  // This walk comes last, because your own settings count in every project.
  do: () => {
    settingsOfYours();
    const one = makeForeign(FOREIGN.Node);
    expect(one.do(TASKS.honest)).toMatchObject({ exit_code: 0, ending: 'all_done' });
  },
};

it('has one walk of every command', () => {
  const walked = [AFTER, ALONE].flatMap(Object.keys).flatMap((names) => names.split(' '));
  expect(walked.toSorted()).toEqual(Object.values(COMMANDS).flatMap(Object.keys).toSorted());
});

describe('after a night', () => {
  const one = NIGHT.make();
  it.each(Object.entries(AFTER))('ralph %s', async (_, walk) => {
    await walk(one);
  });
});

describe('in a project of its own', () => {
  it.each(Object.entries(ALONE))('ralph %s', async (_, walk) => {
    await walk();
  });
});
