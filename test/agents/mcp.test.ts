import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { finishedOf } from '../helpers/finished.ts';
import { temporaryFolder } from '../helpers/repository.ts';
import { agentEnv, BIN, makeRepository, writeAll } from './bench.ts';
import { agents } from './given.ts';
import { endLeftovers } from './leftovers.ts';
import { startModel } from './model/server.ts';
import { raw, says } from './talk.ts';

describe.each(agents().filter(({ name }) => name === 'claude'))('$name', (agent) => {
  it('asks the tools of ralph mcp for a verdict', async () => {
    const scratch = temporaryFolder();
    const [home, root] = [join(scratch, 'home'), join(scratch, 'project')];
    const turns = [
      says('I ask.', raw('mcp__ralph__verify', { dirty: true })),
      says('It is not done.'),
    ] as const;
    const model = await startModel({ turns }, root);
    const { url } = model;
    try {
      writeAll(home, agent.files({ url, home }));
      mkdirSync(join(scratch, 'tmp'));
      const server = { command: process.execPath, args: [BIN, 'mcp'], env: { RALPH_TRUST: '1' } };
      makeRepository(root, {
        '.mcp.json': JSON.stringify({ mcpServers: { ralph: server } }),
        '.ralph/ralph.toml': '[[gates.commands]]\nname = "test"\nrun = "test ! -e broken"\n',
      });
      writeAll(root, { broken: '' });
      const env = agentEnv([agent], { url, home, scratch });
      const args = ['-p', '--dangerously-skip-permissions', '--mcp-config', '.mcp.json'];
      const child = spawn(agent.name, args, { cwd: root, env, timeout: 150_000, killSignal: 'SIGKILL' });
      child.stdin.end('Is it done?\n');
      const { code, stdout, stderr } = await finishedOf(child);
      expect(code, stdout + stderr).toBe(0);
      const [result = ''] = model.requests.at(-1)?.results ?? [];
      expect(result).toContain('not_verified');
      expect(result).toContain('ralph.cli.v1');
    } finally {
      endLeftovers(scratch);
      await model.close();
    }
  });
});
