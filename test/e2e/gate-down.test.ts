/** @module-tag slow */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { makeProject, SHELL_CLAIM, shellAgent, withoutBox } from '../helpers/cli.ts';

withoutBox();

let close = () => undefined as unknown;
afterEach(() => void close());

/** Drops so many connections once it was asked to. */
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

it('a gate whose server goes away and comes back costs no attempt, and no second start of the agent', async () => {
  // With the work three times, without it once; then it is there again.
  const port = await serverWhichGoesAway(4);
  const one = makeProject({
    '.gitignore': 'calls\n',
    '.ralph/PRD.md':
      '## Tasks\n- [ ] **T-1** First\n  - Files: src/T-1.txt\n- [ ] **T-2** Second\n  - Files: src/T-2.txt\n- [ ] **T-3** Needs it, too\n  - Files: src/T-3.txt\n- [ ] **T-4** Third\n  - Files: docs/T-4.txt\n',
    '.ralph/ralph.toml': `${shellAgent()}[proof]\nmode = "off"\n[review]\nenabled = false\n[[gates.commands]]\nname = "server"\nrun = '''${ask(port, '/')}'''\npaths = ["src"]\n`,
    'agent.sh': `cat > /dev/null\nmkdir -p src docs\necho $RALPH_TASK_ID >> ../calls\ncase $RALPH_TASK_ID in T-4) echo x > docs/T-4.txt;; *) echo x > src/$RALPH_TASK_ID.txt;; esac\n[ $RALPH_TASK_ID != T-2 ] || ${ask(port, '/away')}\n${SHELL_CLAIM}`,
  });
  const { code, stdout } = await one.start('run', '--trust').ended;
  expect(code, stdout).toBe(0);
  const attempts = one
    .read('.ralph/journal.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === 'iteration_finished')
    .map(({ taskId, attempt, failedAttempt }) => `${taskId} ${attempt.verdict} ${failedAttempt}`);
  expect(attempts).toEqual([
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
}, 300_000);
