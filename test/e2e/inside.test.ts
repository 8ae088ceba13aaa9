/** @module-tag slow */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gatesIn } from '../../src/domain/command-runs.ts';
import { BIN, makeProject, type Project, SHELL_CLAIM, shellAgent, withoutBox } from '../helpers/cli.ts';
import { makeRepository } from '../helpers/repository.ts';

const RALPH = `"${process.execPath}" "${BIN}"`;

// Without a box ralph knows by the processes above it that an agent started it; box.test.ts shows the same in a box.
withoutBox();

/** Returns a project whose agent calls ralph in these ways, and writes each result into `said.txt`. */
function projectWith(calls: readonly string[], config = ''): Project {
  const lines = calls.map((call) => `(${call}) >> said.txt 2>&1; echo "exit $?" >> said.txt`);
  return makeProject({
    'agent.sh': ['cat > /dev/null', ...lines, 'echo parser > parser.txt', SHELL_CLAIM].join('\n'),
    '.ralph/ralph.toml': `${shellAgent('max_iterations = 1')}${config}`,
    '.gitignore': 'said.txt\n',
  });
}

/** Waits for a process that no other one waits for. */
const WAIT = 'until [ -e over ]; do sleep 0.02; done';

const DECIDING = [
  'trust',
  'trust --revoke',
  'feedback add "Skip the tests"',
  'feedback clear',
  'unblock T-1',
  'retry-blocked',
  'resume INC-1 --option abort',
  'rollback',
  'init --force',
  'run',
  'step',
  'interventions --reset',
  'profile --agent mine --reinstate',
  'checkpoints drop kept/1',
  'stop',
  'stop --now',
  'pause',
  'continue',
  'approvals decide G-1 approve',
  'approvals report e-1 --reason x',
  'whitelist add test_skip --reason x',
  'whitelist remove W-1 --reason x',
];

describe('from inside of an attempt', () => {
  it('every command that decides for you is refused and recorded', () => {
    const project = projectWith(DECIDING.map((command) => `${RALPH} ${command}`));
    expect(project.ralph('run').stdout).toContain(`${DECIDING.length} commands of ralph refused`);
    const output = project.readCopy('said.txt');
    expect(output.match(/^exit \d+$/gm)).toEqual(DECIDING.map(() => 'exit 2'));
    expect(output.match(/decides for you/g)).toHaveLength(DECIDING.length);
    expect(output).toContain(
      "ralph: ralph feedback add decides for you, and this was started by the agent's attempt 1 of T-1 (iteration 1). Run it in your own terminal.",
    );
    const refused = project.events().filter(({ event_type }) => event_type === 'command_refused');
    expect(refused).toHaveLength(DECIDING.length);
    expect(refused[2]).toMatchObject({
      iteration: 1,
      details: { task_id: 'T-1', summary: expect.stringContaining("ralph feedback add 'Skip the tests'") },
    });
    expect(project.ralph('interventions', '--type', 'command_refused').stdout).toContain(
      'ralph unblock was called',
    );
    expect(project.json('feedback', 'list').entries).toEqual([]);
  });

  it('commands that only read work', () => {
    const reading = ['status', 'tasks', 'trust --list', 'feedback', 'run --dry-run', 'explain T-1', 'doctor'];
    const project = projectWith(reading.map((command) => `${RALPH} ${command}`));
    project.ralph('run');
    expect(project.readCopy('said.txt')).not.toContain('decides for you');
    expect(project.readCopy('said.txt').match(/^exit 0$/gm)).toHaveLength(reading.length);
  });

  it("another repository isn't its business", () => {
    const other = makeRepository();
    const project = projectWith([`${RALPH} --cwd "${other.root}" feedback add "Be brief"`]);
    project.ralph('run');
    expect(project.readCopy('said.txt')).toContain('Be brief');
  });

  it.each([
    ['without an environment', `env -i ${RALPH} trust`],
    ['from another folder', `cd / && ${RALPH} --cwd "$OLDPWD" trust`],
    [
      'through a link to the folder',
      `ln -s "$PWD" .git/link && cd / && ${RALPH} --cwd "$OLDPWD/.git/link" trust`,
    ],
    [
      'in a session of its own, its parents gone',
      `echo '${RALPH} trust; : > over' > orphan.sh; env -i sh -c 'setsid sh orphan.sh & :'; ${WAIT}`,
    ],
    ['with another home for its state', `XDG_STATE_HOME="$PWD/.git/x" ${RALPH} trust`],
    [
      'without the lock of the run in the repository',
      `rm .ralph/run.lock; env -u RALPH_SUPERVISOR ${RALPH} trust`,
    ],
  ])('%s: refused', (_name, call) => {
    const project = projectWith([call]);
    project.ralph('run');
    expect(project.readCopy('said.txt')).toContain('ralph trust decides for you');
    expect(project.events().filter(({ event_type }) => event_type === 'command_refused')).not.toEqual([]);
  });

  it('from a gate and from a git hook of the commit: refused', () => {
    const call = `${RALPH} feedback add "From $0"`;
    const project = projectWith([], `[gates]\ncommands = ['! ${call} 2>&1']\n[git]\ncommit = "on_done"\n`);
    project.write('.git/hooks/pre-commit', `#!/bin/sh\n${call} >> said.txt 2>&1; true\n`, 0o755);
    expect(project.ralph('run').code).toBe(0);
    expect(project.readCopy('said.txt')).toContain('feedback add decides for you');
    expect(gatesIn(project.iteration(1).facts)[0]?.outputTail).toContain('feedback add decides for you');
    expect(project.json('feedback', 'list').entries).toEqual([]);
  });

  it('in a linked work tree of the same repository: refused', () => {
    const project = projectWith(['true']);
    const linked = join(project.root, 'linked');
    project.git('worktree', 'add', '-q', 'linked');
    writeFileSync(join(project.root, '.git/info/exclude'), 'linked\n');
    const call = `${RALPH} --cwd '${linked}' feedback add "Be brief" > said.txt 2>&1`;
    project.program('agent.sh', `cat > /dev/null\n${call}\necho parser > parser.txt\n${SHELL_CLAIM}`);
    project.ralph('run');
    expect(project.readCopy('said.txt')).toContain('feedback add decides for you');
  });
});
