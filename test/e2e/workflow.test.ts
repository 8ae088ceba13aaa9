/** @module-tag rest */

import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScenarioAction } from '../../src/domain/scenario.ts';
import { makeProject, type Project } from '../helpers/cli.ts';
import { answers, approves, inRole, makes, scenario, settings } from '../helpers/reviewing-roles.ts';

const STANDARD = settings('kind = "standard"');

function project(text: string, toml = STANDARD): Project {
  return makeProject({ '.ralph/ralph.toml': toml, '.ralph/scenario.json': text });
}

const roles = (of: Project, number: number) =>
  of
    .iteration(number)
    .facts.workflow?.runs.map(({ role, replaced }) => `${role}${replaced ? ' (replaced)' : ''}`);

const servers: (() => void)[] = [];
afterEach(() => {
  for (const close of servers.splice(0)) close();
});

/** Returns an action that ends once this number of reviewers have called: a reviewer that runs alone never ends. */
async function meeting(of: number): Promise<ScenarioAction> {
  const callers: Socket[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    callers.push(socket);
    if (callers.length >= of) for (const one of callers) one.end('go');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const call = `require('net').connect(${port}, '127.0.0.1').resume()`;
  return { action: 'run', argv: [process.execPath, '-e', call] };
}

describe('standard', () => {
  it('findings go back to the maker, and reviewers look again', async () => {
    const meet = await meeting(2);
    const later = await meeting(2);
    const made = project(
      scenario(
        makes('export const a = 2;\n', { prompt_includes: 'the total is off' }),
        makes('export const a = 1;\n'),
        inRole('guardian', [later, approves], { prompt_includes: 'export const a = 2' }),
        inRole('sage', [later, approves], { prompt_includes: 'export const a = 2' }),
        inRole('guardian', [meet, answers('CHANGES_REQUESTED', { claim: 'the total is off' })]),
        inRole('sage', [meet, approves]),
      ),
      // Reviews of actions are off, because the commands of reviewers don't matter here.
      `${STANDARD}[review]\nenabled = false\n`,
    );
    const { ending, ...rest } = await made.jsonLater('run');
    expect({ ending, rest }).toMatchObject({ ending: 'all_done' });
    expect(made.iterations()).toEqual([1, 2]);
    expect(made.iteration(1).decisions.verdict).toEqual({ kind: 'changes_requested', roles: ['guardian'] });
    expect(made.promptOf(2)).toContain('WARNING src/a.ts:1 (guardian, correctness): the total is off');
    expect(made.iteration(2).decisions.verdict).toEqual({ kind: 'done' });
    expect(roles(made, 1)).toEqual(['guardian', 'sage']);
    expect(made.read('src/a.ts')).toBe('export const a = 2;\n');
  });

  it('a review that writes changes nothing, and is reported', () => {
    const writes: ScenarioAction = { action: 'write', path: 'src/a.ts', content: 'hacked\n' };
    const made = project(
      scenario(
        makes('export const a = 1;\n'),
        inRole('guardian', [writes, approves]),
        inRole('sage', [approves]),
      ),
    );
    const { stderr, stdout, code } = made.ralph('run');
    expect(code).toBe(0);
    expect(`${stdout}${stderr}`).toContain('guardian changed src/a.ts in its copy of the work tree');
    expect(made.read('src/a.ts')).toBe('export const a = 1;\n');
    expect(made.events().map(({ event_type }) => event_type)).toContain('role_wrote');
  });
});
