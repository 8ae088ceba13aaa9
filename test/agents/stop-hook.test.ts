import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stopHookOf } from 'ralph-agents';
import { describe, expect, it } from 'vitest';
import { finishedOf } from '../helpers/finished.ts';
import { repositoryAt, temporaryFolder } from '../helpers/repository.ts';
import { agentEnv, BIN, makeRepository, writeAll } from './bench.ts';
import { type Agent, agents } from './given.ts';
import { endLeftovers } from './leftovers.ts';
import type { Turn } from './model/scenario.ts';
import { type ModelRequest, startModel } from './model/server.ts';
import { says, shell } from './talk.ts';

const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clamp } from '../src/clamp.js';
test('clamp bounds', () => assert.equal(clamp(10, 0, 5), 5));
`;
const RIGHT = 'export const clamp = (x, low, high) => Math.min(high, Math.max(low, x));\n';
const WRONG = 'export const clamp = (x) => x;\n';

/** Their tools for files want a file read before, or not there. */
function rewrite(text: string): string {
  return `printf '%s\\n' '${text.trim()}' > src/clamp.js`;
}

/** As you would start it, in a folder that you trust; without the answers that it would ask you for. */
const STARTS: Readonly<
  Record<string, { readonly args: readonly string[]; readonly env?: Record<string, string> }>
> = {
  claude: { args: ['-p', '--dangerously-skip-permissions'] },
  codex: {
    args: [
      'exec',
      '--trust',
      '--dangerously-bypass-approvals-and-sandbox',
      '--dangerously-bypass-hook-trust',
      '-',
    ],
  },
  copilot: { args: ['--allow-all-tools', '--no-ask-user', '--trust-folder', '-p', 'Write clamp.'] },
  gemini: { args: ['--approval-mode', 'yolo'], env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } },
};

type Scene = {
  /** What the model answers. @param asks how often it was sent back so far */
  readonly answer: (asked: { readonly results: number; readonly asks: number }) => Turn;
  readonly trust?: boolean;
};

/** A session of the agent itself, without a run of ralph, in a repository where it has the hook. */
async function session(agent: Agent, { answer, trust = true }: Scene) {
  const scratch = temporaryFolder();
  const [home, root, bin] = [join(scratch, 'home'), join(scratch, 'project'), join(scratch, 'bin')];
  const answers = ({ results, body }: { readonly results: readonly string[]; readonly body: string }) =>
    answer({ results: results.length, asks: asksIn(body) });
  const model = await startModel({ turns: [says('')], answers }, root);
  const { url } = model;
  try {
    writeAll(home, agent.files({ url, home }));
    for (const folder of [bin, join(scratch, 'tmp')]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(bin, 'ralph'), `#!/bin/sh\nexec ${process.execPath} ${BIN} "$@"\n`);
    chmodSync(join(bin, 'ralph'), 0o755);
    makeRepository(root, {
      'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }\n',
      'src/clamp.js': RIGHT,
      'test/clamp.test.js': TEST,
    });
    const { args, env: more = {} } = STARTS[agent.name] ?? { args: [] };
    const { PATH, RALPH_TRUST, ...rest } = agentEnv([agent], { url, home, scratch });
    const env = { ...rest, PATH: `${bin}:${PATH}`, ...more, ...(trust ? { RALPH_TRUST } : {}) };
    const installed = spawnSync(process.execPath, [BIN, 'hook', 'install', agent.name, '--yes'], {
      cwd: root,
      env,
      encoding: 'utf8',
    });
    expect(installed.status, installed.stderr).toBe(0);
    repositoryAt(root).commitAll('the hook');
    const child = spawn(agent.name, [...args], { cwd: root, env, timeout: 150_000, killSignal: 'SIGKILL' });
    child.stdin.end('Write clamp.\n');
    const ended = await finishedOf(child);
    const requests: readonly ModelRequest[] = model.requests;
    return {
      ...ended,
      clamp: readFileSync(join(root, 'src/clamp.js'), 'utf8'),
      asks: Math.max(0, ...requests.map(({ body }) => asksIn(body))),
      last: requests.at(-1)?.body ?? '',
      left: repositoryAt(root).git('status', '--porcelain').trim(),
    };
  } finally {
    endLeftovers(scratch);
    await model.close();
  }
}

/** How often ralph sent it back, by what the model reads. */
function asksIn(body: string): number {
  return Math.max(0, ...[...body.matchAll(/request (\d+) of 3\)/g)].map(([, number]) => Number(number)));
}

const withHook = agents().filter(({ name }) => stopHookOf(name) !== null);

describe.each(withHook)('a session of $name', (agent) => {
  it('that says "done" with a red gate is sent back with the reason, and ends when it is green', async () => {
    const outcome = await session(agent, {
      answer: ({ results, asks }) => {
        if (results === 0) return says('I rewrite it.', shell(rewrite(WRONG)));
        if (asks === 1 && results === 1) return says('I repair it.', shell(rewrite(RIGHT)));
        return says('All done, and all tests pass.');
      },
    });
    expect(outcome, outcome.stderr).toMatchObject({ code: 0, clamp: RIGHT, asks: 1 });
    expect(outcome.last).toMatch(/clamp bounds/);
  });

  it('that would never be done is let go after three requests', async () => {
    const outcome = await session(agent, {
      answer: ({ results }) =>
        results === 0 ? says('I rewrite it.', shell(rewrite(WRONG))) : says('All done.'),
    });
    expect(outcome, outcome.stderr).toMatchObject({ code: 0, clamp: WRONG, asks: 3, left: 'M src/clamp.js' });
  });

  it('in a repository whose commands you have not approved runs none of them', async () => {
    const outcome = await session(agent, {
      trust: false,
      answer: ({ results }) =>
        results === 0 ? says('I rewrite it.', shell(rewrite(WRONG))) : says('All done.'),
    });
    expect(outcome, outcome.stderr).toMatchObject({ code: 0, clamp: WRONG, asks: 0 });
  });
});
