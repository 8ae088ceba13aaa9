/** @module-tag slow */

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { makeProject, type Project, SHELL_CLAIM, shellAgent, withoutBox } from '../helpers/cli.ts';
import { movedClock } from '../helpers/moved-clock.ts';
import { temporaryFolder } from '../helpers/repository.ts';

withoutBox();

let close = () => undefined as unknown;
afterEach(() => {
  close();
  vi.unstubAllEnvs();
});

/** Starts a server that, once it was asked to, drops this number of connections. */
function serverWhichGoesAway(times: number): Promise<number> {
  let left = 0;
  const server = createServer((request, response) => {
    if (request.url === '/away') left = times;
    else if (left > 0) {
      left -= 1;
      request.socket.destroy();
      return;
    }
    response.end('here');
  });
  close = () => server.close();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

const ask = (port: number, path: string) =>
  `node -e "fetch('http://127.0.0.1:${port}${path}').then(() => 0, () => process.exit(1))"`;

/** Returns each attempt with its verdict, and whether it counts as failed. */
function attemptsOf(one: Project): string[] {
  return one
    .read('.ralph/journal.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === 'iteration_finished')
    .map(({ taskId, attempt, failedAttempt }) => `${taskId} ${attempt.verdict} ${failedAttempt}`);
}

/** Returns a project whose gate asks the server, which the agent sends away during this task. */
const served = (port: number, { tasks, gate, agent, more = '' }: Served) =>
  makeProject({
    '.gitignore': 'calls\nhidden/\n',
    '.ralph/PRD.md': `## Tasks\n${tasks}`,
    '.ralph/ralph.toml': `${shellAgent()}[proof]\nmode = "off"\n[review]\nenabled = false\n${more}[[gates.commands]]\nname = "server"\nrun = '''${ask(port, '/')}'''\n${gate}`,
    'agent.sh': `cat > /dev/null\nmkdir -p src docs\n${agent}`,
  });

type Served = {
  readonly tasks: string;
  readonly gate: string;
  readonly agent: string;
  readonly more?: string;
};

it('a gate whose server goes away and comes back costs no attempt, and no second start of the agent', async () => {
  // The server drops three runs of the gate with the work and one without, then it is back.
  const port = await serverWhichGoesAway(4);
  const setClock = movedClock();
  const one = makeProject({
    '.gitignore': 'calls\n',
    '.ralph/PRD.md':
      '## Tasks\n- [ ] **T-1** First\n  - Files: src/T-1.txt\n- [ ] **T-2** Second\n  - Files: src/T-2.txt\n- [ ] **T-3** Needs it, too\n  - Files: src/T-3.txt\n- [ ] **T-4** Third\n  - Files: docs/T-4.txt\n',
    '.ralph/ralph.toml': `${shellAgent()}[proof]\nmode = "off"\n[review]\nenabled = false\n[[gates.commands]]\nname = "server"\nrun = '''${ask(port, '/')}'''\npaths = ["src"]\n`,
    'agent.sh': `cat > /dev/null\nmkdir -p src docs\necho $RALPH_TASK_ID >> ../calls\ncase $RALPH_TASK_ID in T-4) echo x > docs/T-4.txt;; *) echo x > src/$RALPH_TASK_ID.txt;; esac\n[ $RALPH_TASK_ID != T-2 ] || ${ask(port, '/away')}\n${SHELL_CLAIM}`,
  });
  const run = one.start('run', '--trust');
  await run.says('What is finished is judged again at');
  setClock(120);
  const { code, stdout } = await run.ended;
  expect(code, stdout).toBe(0);
  expect(attemptsOf(one)).toEqual([
    'T-1 done false',
    'T-2 gate_down false',
    'T-4 done false',
    'T-2 done false',
    'T-3 done false',
  ]);
  expect(stdout).toContain('"server" fails on your branch without');
  expect(one.iteration(4).facts.report.usage).toEqual([]);
  expect(one.iteration(4).facts.durationMs).toBe(0);
  expect(one.iteration(4).facts.commandRuns.map(({ why }) => why)).toEqual(['deciding']);
});

it.each([
  ['an open gate', ''],
  ['a held-out gate', 'held_out = "hidden"\n'],
])('%s that stays down for an hour ends the run with 9, and no attempt is lost', async (_, gate) => {
  const port = await serverWhichGoesAway(Number.POSITIVE_INFINITY);
  const setClock = movedClock();
  const one = served(port, {
    ...{ gate, tasks: '- [ ] **T-1** First\n' },
    agent: `echo x > src/T-1.txt\n${ask(port, '/away')}\n${SHELL_CLAIM}`,
  });
  one.write('hidden/cases.txt', '1\n');
  const run = one.start('run', '--trust');
  await run.says('What is finished is judged again at');
  setClock(61 * 60);
  const { code, stdout } = await run.ended;
  expect([code, stdout.replace(/\s+/g, ' ')]).toEqual([
    9,
    expect.stringContaining('Gate "server" fails on your branch without any work, too, since'),
  ]);
  expect(attemptsOf(one)).toEqual(['T-1 gate_down false', 'T-1 gate_down false']);
});

it('an attempt that claims nothing loses nothing either where the gate is down', async () => {
  const port = await serverWhichGoesAway(2);
  const one = served(port, {
    ...{ gate: '', tasks: '- [ ] **T-1** First\n' },
    agent: `echo x > src/T-1.txt\n${ask(port, '/away')}\necho still at it\n`,
  });
  await one.start('run', '--trust', '--max-iterations', '1').ended;
  expect(attemptsOf(one)).toEqual(['T-1 progress false']);
});

it('a worker without a task judges again beside one that is at work', async () => {
  const port = await serverWhichGoesAway(4);
  const setClock = movedClock();
  const go = join(temporaryFolder(), 'go');
  const one = served(port, {
    tasks: '- [ ] **T-1** First\n  - Files: src/T-1.txt\n- [ ] **T-2** Second\n  - Files: docs/T-2.txt\n',
    gate: 'paths = ["src"]\n',
    more: '[parallel]\nworkers = 2\n',
    agent: `case $RALPH_TASK_ID in T-1) echo x > src/T-1.txt; ${ask(port, '/away')};; *) echo x > docs/T-2.txt; until test -e ${go}; do sleep 0.1; done;; esac\n${SHELL_CLAIM}`,
  });
  const run = one.start('run', '--trust');
  await run.says('"server" fails on your branch without');
  setClock(120);
  await run.says('T-1 is finished, and judged again without its agent.');
  writeFileSync(go, '');
  const { code, stdout } = await run.ended;
  expect(code, stdout).toBe(0);
  expect(attemptsOf(one)).toEqual(['T-1 gate_down false', 'T-1 done false', 'T-2 done false']);
});
