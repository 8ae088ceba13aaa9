import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { AgentHome } from 'ralph-kit/agent-home';
import { afterEach, describe, expect, it } from 'vitest';
import { boxAt, isWholeBox } from '../../../test/helpers/boxed.ts';
import { makeRepository, temporaryFolder } from '../../../test/helpers/repository.ts';

const TOOL: AgentHome = {
  folders: [{ path: '.tool', variable: null, base: null }],
  settings: ['.tool/settings.json', '.tool/own.json'],
  sessions: [],
  signIns: [
    {
      ...{ path: '.tool/auth.json', holds: 'one', account: ['account'] },
      ...{ tokens: ['token'], times: ['expires'] },
    },
  ],
  copies: [],
  nests: false,
};
const signIn = (expires: number) => JSON.stringify({ token: `t-${expires}`, expires, account: 'mine' });

const running: ChildProcess[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

/** Boxes of agents in one home folder, each with a shell that does one thing after another. */
function boxes() {
  const { root } = makeRepository({ 'a.txt': 'a\n' });
  const [home, stateHome] = [temporaryFolder(), temporaryFolder()];
  const git = { gitDir: join(root, '.git'), commonDir: join(root, '.git') };
  const box = boxAt({ root, stateHome, ...git, home, settings: {} });
  const put = (name: string, text: string) => {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  };
  const start = (agent = 'tool') => {
    const env = { PATH: process.env.PATH, HOME: home };
    const place = { program: '/bin/sh', cwd: root, env, visible: [], home: TOOL };
    const opened = box.open({ role: 'agent', ...place, agent });
    const child = spawn(opened.program, [...opened.args, '--', '/bin/sh'], {
      ...{ cwd: root, env: opened.env, stdio: ['pipe', 'pipe', 'inherit'] },
    });
    running.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    /** Returns what a command printed, on one line. */
    const does = async (command: string): Promise<string> => {
      child.stdin.write(`cd ~/.tool; echo "$(${command})"\n`);
      const { value } = await lines.next();
      return String(value);
    };
    return { does, close: opened.close };
  };
  return { home, put, start };
}

describe.skipIf(!isWholeBox)('agents of one account in boxes side by side', () => {
  it('see at once what one of them refreshed, however it writes it, and so does a later one', async () => {
    const { home, put, start } = boxes();
    put('.tool/auth.json', signIn(1));
    const [one, two] = [start(), start()];
    expect(await two.does('cat auth.json')).toBe(signIn(1));
    await one.does(`echo '${signIn(2)}' > new.json; mv new.json auth.json`);
    expect(await two.does('cat auth.json')).toBe(signIn(2));
    // Yours has it while both are at work.
    const later = start();
    expect(JSON.parse(readFileSync(join(home, '.tool/auth.json'), 'utf8'))).toEqual(JSON.parse(signIn(2)));
    await two.does(`echo '${signIn(3)}' > auth.json`);
    expect(await one.does('cat auth.json')).toBe(signIn(3));
    expect(await later.does('cat auth.json')).toBe(signIn(3));
    for (const box of [one, two, later]) box.close();
    expect(JSON.parse(readFileSync(join(home, '.tool/auth.json'), 'utf8'))).toEqual(JSON.parse(signIn(3)));
  });

  it('in another role, too, while both are at work', async () => {
    const { put, start } = boxes();
    put('.tool/auth.json', signIn(1));
    const [maker, reviewer] = [start(), start('tool-reviewer')];
    await maker.does(`echo '${signIn(2)}' > new.json; mv new.json auth.json`);
    const has = (text: string) =>
      `until grep -q '"${text}"' auth.json; do sleep 0.05; done; echo has ${text}`;
    expect(await reviewer.does(has('t-2'))).toBe('has t-2');
    await reviewer.does(`echo '${signIn(3)}' > auth.json`);
    expect(await maker.does(has('t-3'))).toBe('has t-3');
  });

  it('keep your settings, and can write none, when another one begins', async () => {
    const { put, start } = boxes();
    put('.tool/settings.json', 'yours');
    const one = start();
    expect(await one.does('cat settings.json')).toBe('yours');
    const two = start();
    expect(await two.does('cat settings.json')).toBe('yours');
    expect(await one.does('cat settings.json')).toBe('yours');
    expect(await one.does('echo evil 2> /dev/null > settings.json || cat settings.json')).toBe('yours');
    // Where you have none, what one of them wrote is gone when another one begins.
    await one.does('echo evil > own.json');
    expect(await start().does('test -e own.json || echo none')).toBe('none');
  });
});
