import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { finishedOf } from '../helpers/finished.ts';
import { HAS_REDIS, startRedis } from '../helpers/redis.ts';
import { repositoryAt, runTestGit, temporaryFolder } from '../helpers/repository.ts';
import { agentEnv, BIN, makeRepository, writeAll } from './bench.ts';
import { agents } from './given.ts';
import { iterationsOf } from './iterations.ts';
import { endLeftovers, leftAlive } from './leftovers.ts';
import type { Scenario } from './model/scenario.ts';
import { startModel } from './model/server.ts';
import { claim, says, shell } from './talk.ts';

const LIMIT_MS = 10 * 60_000;
const TASKS = Array.from({ length: 8 }, (_, at) => `T-${at + 1}`);
/** What the account of the first agent is good for. */
const PAID = 4;
const LIMITED = {
  kind: 'fails',
  status: 429,
  message: 'You have hit your usage limit. Try again in 2 hours.',
  headers: { 'retry-after': '7200' },
} as const;

/** Writes the file of each task, until so many are done. */
function works(tasks: number): Scenario {
  const begun = new Set<string>();
  return {
    turns: [says('')],
    answers: ({ results, body }) => {
      const id = /Work on task (T-\d) only/.exec(body)?.[1] ?? 'T-1';
      if (begun.size >= tasks && !begun.has(id)) return LIMITED;
      begun.add(id);
      const writes = shell(`echo ${id} > src/${id}.txt; cat src/${id}.txt`);
      return results.length === 0
        ? says('I write the file.', writes)
        : says(claim(`src/${id}.txt:1 written`).replace('T-1', id));
    },
  };
}

const [first, second] = agents();

describe.skipIf(second === undefined || !HAS_REDIS)('two programs on two workers of a fleet', () => {
  it(
    'do eight tasks, the second one those that the account of the first is not good for: each lands once',
    async () => {
      if (first === undefined || second === undefined) return;
      const scratch = temporaryFolder();
      const redis = await startRedis();
      const models = await Promise.all([startModel(works(PAID), scratch), startModel(works(8), scratch)]);
      try {
        const home = join(scratch, 'home');
        mkdirSync(join(scratch, 'tmp'), { recursive: true });
        const envs = [first, second].map((agent, at) => {
          const url = models[at]?.url ?? '';
          writeAll(home, agent.files({ url, home }));
          return agentEnv([agent], { url, home, scratch });
        });
        const env: Record<string, string> = {
          ...Object.assign({}, ...envs),
          PATH: envs.map(({ PATH = '' }) => PATH).join(':'),
          ...{ RALPH_GIT_COMMIT: 'on_done', RALPH_FLEET_URL: redis.url, GIT_CONFIG_GLOBAL: '/dev/null' },
        };
        const root = join(scratch, 'project');
        makeRepository(root, {
          'src/shared.txt': 'start\n',
          '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n${TASKS.map((id) => `- [ ] **${id}** Write src/${id}.txt\n`).join('')}`,
          '.ralph/ralph.toml': [
            ...['[loop]', `agent = "${first.name}"`, `fallback = ["${second.name}"]`, 'grace = 2'],
            ...[
              '[modes.speed]',
              'timeout = 200',
              '[adaptive_timeout]',
              'enabled = false',
              'idle_timeout = 60',
            ],
            '',
          ].join('\n'),
        });
        const bare = join(scratch, 'remote.git');
        runTestGit(root, ['clone', '-q', '--bare', '.', bare]);
        runTestGit(root, ['remote', 'add', 'origin', bare]);
        const clones = ['one', 'two'].map((name) => {
          const at = join(scratch, name);
          runTestGit(scratch, ['clone', '-q', bare, at]);
          return at;
        });
        for (const at of [root, ...clones]) {
          repositoryAt(at).git('config', 'user.name', 'fleet');
          repositoryAt(at).git('config', 'user.email', 'fleet@localhost');
        }
        const ralph = (cwd: string, ...args: string[]) => {
          const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
          const argv = [BIN, '--format', 'json', 'fleet', ...args];
          return spawn(process.execPath, argv, { cwd, env, timeout: LIMIT_MS, stdio });
        };
        const keyOf = async (at: string) => JSON.parse((await finishedOf(ralph(at, 'key'))).stdout).key;
        const own = await keyOf(root);
        for (const at of clones) {
          await finishedOf(ralph(at, 'enrol', own));
          await finishedOf(ralph(root, 'enrol', await keyOf(at)));
        }
        const workers = clones.map((at) => ralph(at, 'worker', '--name', at.split('/').at(-1) ?? ''));
        const ends = workers.map(finishedOf);
        const run = await finishedOf(ralph(root, 'run', '--workers', '2', '--no-wait'));
        for (const worker of workers) worker.kill('SIGTERM');
        const said = await Promise.all(ends);
        const seen = iterationsOf(root).map(({ facts, decisions }) => [
          ...[facts.task.id, facts.agent, decisions.verdict.kind],
        ]);
        const shown = [
          run.stdout,
          run.stderr,
          JSON.stringify(seen, null, 1),
          ...said.map(({ stderr }) => stderr),
        ];
        expect(run.code, shown.join('\n')).toBe(0);
        const done = seen.filter(([, , verdict]) => verdict === 'done');
        expect(done.map(([id]) => id).toSorted(), shown.join('\n')).toEqual(TASKS);
        expect(new Set(done.map(([, agent]) => agent))).toEqual(new Set([first.name, second.name]));
        const landed = runTestGit(bare, ['log', '--format=%(trailers:key=Ralph-Task,valueonly)', 'main']);
        expect(landed.split('\n').filter(Boolean).toSorted()).toEqual(TASKS);
        for (const id of TASKS) expect(runTestGit(bare, ['show', `main:src/${id}.txt`]).trim()).toBe(id);
        // Both workers were at work.
        for (const { stdout } of said) expect(JSON.parse(stdout)).toMatchObject({ refused: 0 });
        expect(said.map(({ stdout }) => JSON.parse(stdout).delivered).filter((count) => count === 0)).toEqual(
          [],
        );
        expect(leftAlive(scratch) ?? []).toEqual([]);
      } finally {
        endLeftovers(scratch);
        await Promise.all(models.map((model) => model.close()));
        await redis.stop();
      }
    },
    LIMIT_MS,
  );
});
