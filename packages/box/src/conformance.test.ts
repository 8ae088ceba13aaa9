import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { boxOf } from 'ralph-box';
import { launch } from 'ralph-box/launch/launch';
import type { Box } from 'ralph-box/protocol';
import type { Clock } from 'ralph-kit/clock';
import { processesWith } from 'ralph-kit/programs/table/process-table';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boxAt, boxStatus, isWholeBox } from '../../../test/helpers/boxed.ts';
import { temporaryFolder } from '../../../test/helpers/repository.ts';

/** Variable by which the processes of a launch are found again, whatever became of them. */
const MARK = 'CONFORMANCE_MARK';

type Implementation = {
  readonly name: string;
  readonly isHere: boolean;
  /** Level of the box; `null`: programs run without one. */
  readonly level: 'full' | 'files' | null;
  readonly supervision: 'auto' | 'group-scan';
};

const IMPLEMENTATIONS: readonly Implementation[] = [
  { name: 'bubblewrap', isHere: isWholeBox, level: 'full', supervision: 'auto' },
  {
    name: 'bubblewrap without processes',
    isHere: boxStatus.kind === 'on',
    level: 'files',
    supervision: 'auto',
  },
  { name: 'none, with a sub-reaper', isHere: true, level: null, supervision: 'auto' },
  { name: 'none, followed from outside', isHere: true, level: null, supervision: 'group-scan' },
];

const CLOCK: Clock = {
  now: () => new Date().toISOString(),
  monotonicMs: () => performance.now(),
  processorMs: () => 0,
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => undefined),
};

/** What a shell printed in one launch, its exit code, and whether its box says that it was started. */
type Went = { readonly output: string; readonly code: number | null; readonly hasStarted: boolean };

describe.each(IMPLEMENTATIONS.filter(({ isHere }) => isHere))('$name', ({ level, supervision }) => {
  const isBoxed = level !== null;

  /** Opens a work tree and a home folder, in whose boxes shells are launched. */
  function place(network: 'on' | 'off' = 'on') {
    const [root, home, stateHome] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    const git = { gitDir: join(root, '.git'), commonDir: join(root, '.git') };
    const box: Box | null =
      level === null ? null : boxAt({ root, home, stateHome, ...git, level, settings: { network } });
    const mark = `${process.pid}-${Math.random()}`;
    const env = { PATH: process.env.PATH, HOME: home, LANG: 'C', A_TOKEN: 'secret', [MARK]: mark };
    const start = async (command: string) => {
      const opened = boxOf(box, {
        role: 'gate',
        cwd: root,
        env,
        visible: [],
        home: null,
        agent: '',
        extraVariables: [MARK],
      });
      const output = join(stateHome, 'output');
      const file = openSync(output, 'a');
      const launched = await launch(
        {
          argv: ['/bin/sh', '-c', command],
          cwd: root,
          env,
          stdin: null,
          stdout: file,
          stderr: file,
          box: opened.open,
        },
        { clock: CLOCK, supervision, owner: 'conformance.' },
      );
      if (launched.kind === 'failed') throw new Error(launched.message);
      const { running } = launched;
      onTestFinished(() => running.kill());
      const ended = async (): Promise<Went> => {
        const exit = await running.mainExit;
        expect(await running.treeEnd).toMatchObject({ survivors: 0 });
        const hasStarted = opened.hasStarted();
        opened.close();
        closeSync(file);
        return {
          output: readFileSync(output, 'utf8'),
          code: exit.kind === 'exited' ? exit.code : null,
          hasStarted,
        };
      };
      return { running, ended };
    };
    const run = async (command: string) => (await start(command)).ended();
    const alive = () => [...processesWith(MARK).values()].filter((value) => value === mark).length;
    return { root, home, start, run, alive };
  }

  it('a program gets its folder, its variables and an empty input, and its code is told', async () => {
    const { root, run } = place();
    const went = await run('pwd; echo "$LANG"; cat; exit 7');
    expect(went).toEqual({ output: `${root}\nC\n`, code: 7, hasStarted: true });
  });

  it('seen: the work tree; of the home folder and of variables named like secrets, nothing in a box', async () => {
    const { root, home, run } = place();
    writeFileSync(join(root, 'mine'), 'tree\n');
    writeFileSync(join(home, '.netrc'), 'home\n');
    const { output } = await run('cat mine; cat ~/.netrc 2>/dev/null; echo "$A_TOKEN"');
    expect(output).toBe(isBoxed ? 'tree\n\n' : 'tree\nhome\nsecret\n');
  });

  it('written: the work tree; what is written elsewhere stays in the box', async () => {
    const { root, home, run } = place();
    const { code } = await run('echo tree > mine && echo home > ~/mine && cat ~/mine');
    expect(code).toBe(0);
    expect(readFileSync(join(root, 'mine'), 'utf8')).toBe('tree\n');
    if (isBoxed) expect(() => readFileSync(join(home, 'mine'))).toThrow('ENOENT');
    else expect(readFileSync(join(home, 'mine'), 'utf8')).toBe('home\n');
  });

  it('network: none in a box that has none, else that of this machine', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const connects = `'${process.execPath}' -e 'require("net").connect(${port}, "127.0.0.1").on("connect", () => process.exit(0)).on("error", () => process.exit(1))'`;
    expect((await place('on').run(connects)).code).toBe(0);
    expect((await place('off').run(connects)).code).toBe(isBoxed ? 1 : 0);
  });

  it('ends with it: what the program leaves behind, in a session of its own, too', async () => {
    const { run, alive } = place();
    await run('setsid sleep 1000 & sleep 1000 & echo started');
    expect(alive()).toBe(0);
  });

  it('ends when asked to, and what heeds nothing when it is killed', async () => {
    const asked = place();
    const heeds = await asked.start(
      'trap "echo asked; exit 3" TERM; : > ready; while :; do sleep 0.02; done',
    );
    await until(() => readFileSync(join(asked.root, 'ready')));
    heeds.running.terminate();
    expect(await heeds.ended()).toMatchObject({ output: expect.stringContaining('asked\n'), code: 3 });
    const killed = place();
    const ignores = await killed.start('trap "" TERM; : > ready; while :; do sleep 0.02; done');
    await until(() => readFileSync(join(killed.root, 'ready')));
    ignores.running.kill();
    await ignores.ended();
    expect(killed.alive()).toBe(0);
  });
});

/** Resolves once the function no longer throws. */
async function until(look: () => unknown): Promise<void> {
  for (;;) {
    try {
      look();
      return;
    } catch {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
