import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './redis.ts';

/** Folder in which Debian installs each version. */
const VERSIONS = '/usr/lib/postgresql';

const bin = existsSync(VERSIONS)
  ? (readdirSync(VERSIONS)
      .toSorted((a, b) => Number(b) - Number(a))
      .map((version) => join(VERSIONS, version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb'))) ?? null)
  : null;

/** Whether this machine has a Postgres to test with. */
export const HAS_POSTGRES = bin !== null;

/** Id of a user that isn't root, because Postgres refuses to run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

type Options = {
  /** Whether a commit is on disk before it is answered; otherwise the newest ones are lost at a kill. */
  readonly keeps?: boolean;
  /** Variables of its process in addition to this process's. */
  readonly env?: NodeJS.ProcessEnv;
  /** Additional settings, as `-c` takes them. */
  readonly settings?: readonly string[];
};

/** Gives a file or folder to the user that Postgres runs as. */
export function giveToPostgres(path: string): void {
  if (isRoot) chownSync(path, NOBODY, NOBODY);
}

/** Starts a Postgres of its own on a free port of the loopback, where everybody is let in. */
export async function startPostgres({ keeps = true, env = {}, settings = [] }: Options = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  giveToPostgres(folder);
  const data = join(folder, 'data');
  const port = await freePort();
  const run = (program: string, args: readonly string[]) =>
    spawnSync(join(bin ?? '', program), args, { ...user, cwd: folder, encoding: 'utf8' });
  const make = () => {
    const superuser = ['-U', 'postgres', '-A', 'trust'];
    const made = run('initdb', ['-D', data, ...superuser, '--no-sync', '--locale=C', '-E', 'UTF8']);
    if (made.status !== 0) throw new Error(`initdb: ${made.stdout}${made.stderr}`);
  };
  const administration = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', 'postgres'];
  const ask = (query: string) => run('psql', [...administration, '-Atc', query]);
  const args = [
    ...['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1'],
    ...['-c', 'unix_socket_directories=', '-c', `synchronous_commit=${keeps ? 'on' : 'off'}`],
    ...settings.flatMap((setting) => ['-c', setting]),
  ];
  const start = async () => {
    const child = spawn(join(bin ?? '', 'postgres'), args, {
      ...{ ...user, cwd: folder, env: { ...process.env, ...env }, stdio: 'ignore' as const },
    });
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    while (ask('select 1').status !== 0) {
      if (child.exitCode !== null) throw new Error('postgres ended');
      await sleep(50);
    }
    return { child, ended };
  };
  make();
  let server: Awaited<ReturnType<typeof start>> | null = await start();
  /** Kills its processes at once: the next start recovers what was committed. */
  const kill = async () => {
    server?.child.kill('SIGQUIT');
    await server?.ended;
    server = null;
  };
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    /** Returns the first value of the answer to an administrator's query. */
    ask: (query: string) => ask(query).stdout.trim(),
    /** Resolves once a table is locked, with a function that unlocks it. */
    lockTable: (name: string) =>
      new Promise<() => void>((resolve) => {
        const child = spawn(join(bin ?? '', 'psql'), administration, { ...user, cwd: folder });
        child.stdout.on('data', (text: Buffer) => {
          if (text.toString().includes('LOCK TABLE')) resolve(() => child.stdin.end());
        });
        child.stdin.write(`begin; lock table ${name};\n`);
      }),
    kill,
    start: async () => {
      server ??= await start();
    },
    /** Removes its data; it must not be running. */
    wipe: () => {
      rmSync(data, { recursive: true, force: true });
      make();
    },
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
