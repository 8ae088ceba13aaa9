import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { finishedOf } from '../helpers/finished.ts';
import { temporaryFolder } from '../helpers/repository.ts';
import { agentEnv, BIN, writeAll } from './bench.ts';
import { agents } from './given.ts';
import { endLeftovers, leftAlive } from './leftovers.ts';
import { TOKENS } from './model/scenario.ts';
import { startModel } from './model/server.ts';
import { claim, says, shell } from './talk.ts';

const SUITE = (agent: string) => ({
  name: 'mine',
  about: 'one task in a repository of mine',
  repository: 'project',
  settings: { 'loop.agent': agent, 'modes.speed.timeout': 90, 'adaptive_timeout.enabled': false },
  max_iterations: 2,
});
const FILES = {
  'mine/project/README.md': '# Mine\n',
  'mine/project/.ralph/PRD.md': '# Plan\n\n## Tasks\n\n- [ ] **T-1** Create src/hello.txt\n',
  'mine/project/.ralph/ralph.toml':
    '[[gates.commands]]\nname = "hello"\nrun = "grep -q hello src/hello.txt"\n',
};

describe.each(agents())('$name', (agent) => {
  it('works through a suite of yours: its task is done, its tokens are counted, your files stay', async () => {
    const scratch = temporaryFolder();
    const home = join(scratch, 'home');
    const model = await startModel(
      {
        turns: [
          says('I will create the file.', shell('mkdir -p src && echo hello > src/hello.txt')),
          says(`I created src/hello.txt.\n\n${claim('src/hello.txt:1 created')}`),
        ],
      },
      scratch,
    );
    try {
      const place = { url: model.url, home };
      mkdirSync(join(scratch, 'tmp'));
      writeAll(home, agent.files(place));
      writeAll(scratch, { ...FILES, 'mine/suite.json': JSON.stringify(SUITE(agent.name)) });
      const args = ['eval', './mine', '--arms', 'full', '--seeds', '1', '--format', 'json'];
      const child = spawn(process.execPath, [BIN, ...args], {
        cwd: scratch,
        env: agentEnv([agent], { ...place, scratch }),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const { code, stdout, stderr } = await finishedOf(child);
      expect(code, stdout + stderr).toBe(0);
      const { figures } = JSON.parse(stdout).arms[0];
      expect(figures).toMatchObject({
        completion: { mean: 1 },
        iterations: { mean: 1 },
        blocked: { mean: 0 },
      });
      expect(figures.tokens_per_verified.mean).toBeGreaterThanOrEqual(2 * TOKENS.input);
      expect(figures.minutes_per_verified.mean).toBeGreaterThan(0);
      // What is true of a suite of yours isn't known.
      expect([figures.tree_green, figures.false_accepted]).toEqual([null, null]);
      expect(existsSync(join(scratch, 'mine/project/src'))).toBe(false);
      expect(leftAlive(scratch) ?? []).toEqual([]);
    } finally {
      endLeftovers(scratch);
      await model.close();
    }
  });
});
