import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/io/clock.ts';
import { openProc } from '../../../src/io/proc/index.ts';
import { carriersOf, carriersOfEnvironment, waitUntil } from '../../helpers/adversaries/token.ts';
import { agentRequest } from '../../helpers/adversaries/trial.ts';
import { boxAround, isWholeBox } from '../../helpers/boxed.ts';
import { bundle } from '../../helpers/bundle.ts';
import { manualStop } from '../../helpers/clocks.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

/** By the folder that its temporary files are in. */
const BOX = /\/box\/[^/]*\/tmp \/tmp /;
/** Says in which box it is, then all else that it got. */
const AGENT = `#!/bin/sh
grep -o '/box/[^/]*/tmp /tmp ' /proc/self/mountinfo
env | grep -v "^_=" | sort
for word in "$@"; do echo "word: $word"; done
pwd
ls -A "$TMPDIR"
touch "$TMPDIR/mine"
cat
echo "to errors" >&2
`;

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
  mkdirSync(join(folder, '.git/objects'), { recursive: true });
  writeFileSync(join(folder, '.git/config'), '[core]\n');
  writeFileSync(join(folder, 'agent'), AGENT, { mode: 0o755 });
});

type Proc = ReturnType<typeof openProc>;
type Env = Record<string, string> | undefined;

const open = (): Proc => openProc({ clock: systemClock(), env: process.env, box: boxAround(folder) });

/** Runs the agent; what it printed, its box first, and to where. */
async function run(proc: Proc, number: number, env: Env = {}, cwd = folder) {
  const logs = join(folder, `logs-${number}`);
  mkdirSync(logs);
  const promptFile = join(logs, 'prompt.md');
  writeFileSync(promptFile, `prompt ${number}\n`);
  const [outputFile, errorFile] = [join(logs, 'output.log'), join(logs, 'errors.log')];
  const plan = {
    argv: [join(folder, 'agent'), "it's", 'a\nline', `${number}`] as const,
    env,
    stdin: 'prompt' as const,
  };
  const request = { ...agentRequest(folder, plan.argv), cwd, plan, promptFile, outputFile, errorFile };
  const { end, errorTail } = await proc.runAgent({ ...request, stop: manualStop() });
  expect(end, errorTail).toEqual({ kind: 'exited', code: 0 });
  expect(readFileSync(errorFile, 'utf8')).toBe('to errors\n');
  for (const file of [outputFile, errorFile]) expect(statSync(file).mode & 0o777).toBe(0o600);
  const [box = '', ...said] = readFileSync(outputFile, 'utf8').split('\n');
  return { box, said };
}

/** The shell that waits in a box. */
const waiting = () =>
  carriersOfEnvironment(folder).filter(
    (pid) => readFileSync(`/proc/${pid}/cmdline`, 'latin1') === '/bin/sh\0',
  );

/** Makes a box ahead; that box. */
async function prepared(proc: Proc): Promise<string> {
  proc.prepareAgent();
  await waitUntil(() => waiting().length === 1, 'a box waits');
  return BOX.exec(readFileSync(`/proc/${waiting()[0]}/mountinfo`, 'utf8'))?.[0] ?? '';
}

const isGone = () => carriersOf(folder).length + carriersOfEnvironment(folder).length === 0;
const boxes = () => readdirSync(join(folder, 'state/box'));

describe.runIf(isWholeBox)('a box made ahead', () => {
  it('is what the next agent works in, which finds nothing else than in one of its own', async () => {
    const env = { FIRST: 'gone later', ODD: "it's\n$ODD `x` \\" };
    const proc = open();
    await run(proc, 1, { ...env, FIRST: 'set' });
    const box = await prepared(proc);
    const second = await run(proc, 2, { ODD: 'other', MORE: '' });
    expect(second.box).toBe(box);
    const third = await run(proc, 2.5, { ODD: 'other', MORE: '' });
    expect(third.box).not.toBe(box);
    const plain = (lines: readonly string[]) =>
      lines.map((line) => line.replace('2.5', '2')).filter((line) => !line.startsWith('RALPH_SUPERVISOR='));
    expect(plain(second.said)).toEqual(plain(third.said));
    expect(second.said).toContain('prompt 2');
    await waitUntil(() => isGone() && boxes().length === 0, 'nothing is left');
  });

  it.each<[string, () => Env | Promise<Env>, string?]>([
    [
      'a file that it mounts is another one',
      () => {
        writeFileSync(join(folder, 'new'), '[core]\n');
        renameSync(join(folder, 'new'), join(folder, '.git/config'));
        return undefined;
      },
    ],
    [
      'a file that it mounts was gone meanwhile',
      () => {
        linkSync(join(folder, '.git/config'), join(folder, 'kept'));
        unlinkSync(join(folder, '.git/config'));
        linkSync(join(folder, 'kept'), join(folder, '.git/config'));
        unlinkSync(join(folder, 'kept'));
        return undefined;
      },
    ],
    [
      'a folder that it mounts is another one',
      () => {
        renameSync(join(folder, '.git/hooks'), join(folder, 'hooks'));
        mkdirSync(join(folder, '.git/hooks'));
        return undefined;
      },
    ],
    [
      'there is more to protect',
      () => {
        mkdirSync(join(folder, '.git/modules/inner/objects'), { recursive: true });
        writeFileSync(join(folder, '.git/modules/inner/HEAD'), 'ref: refs/heads/main\n');
        writeFileSync(join(folder, '.git/modules/inner/config'), '[core]\n');
        return undefined;
      },
    ],
    [
      'its shell was killed',
      async () => {
        for (const pid of waiting()) process.kill(pid, 'SIGKILL');
        await waitUntil(isGone, 'the box is over');
        return undefined;
      },
    ],
    ['a variable comes that a shell can not set', () => ({ 'a.b': 'new' })],
    ['the agent works in another folder', () => undefined, '.git'],
  ])('is not used where %s', async (_, change, cwd = '') => {
    const proc = open();
    await run(proc, 1);
    const box = await prepared(proc);
    const { box: used } = await run(proc, 2, await change(), join(folder, cwd));
    expect(used).not.toBe(box);
    await waitUntil(() => isGone() && boxes().length === 0, 'nothing is left');
  });

  it('is tried no more after two in vain', async () => {
    const proc = open();
    await run(proc, 1);
    for (const number of [2, 3]) {
      await prepared(proc);
      await run(proc, number, { [`a.${number}`]: '' });
    }
    proc.prepareAgent();
    await run(proc, 4);
    expect(waiting()).toEqual([]);
  });

  it('ends when no agent comes', async () => {
    const proc = open();
    await run(proc, 1);
    await prepared(proc);
    proc.close();
    await waitUntil(() => isGone() && boxes().length === 0, 'nothing is left');
  });

  it.each([
    ['lets ralph end, and ends with it', []],
    ['ends when ralph is killed', ['stay']],
  ])('%s', async (_, args) => {
    const program = await bundle(new URL('../../helpers/box-ahead-program.ts', import.meta.url));
    const parent = spawn(process.execPath, [program, folder, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const exited = once(parent, 'exit');
    await once(parent.stdout, 'data');
    if (args.length > 0) {
      await waitUntil(() => waiting().length === 1, 'a box waits');
      parent.kill('SIGKILL');
    }
    await exited;
    await waitUntil(isGone, 'nothing is left');
  });
});
