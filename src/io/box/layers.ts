import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownProgram, ownProgramPath } from '../programs/start/own-program.ts';
import { startSync } from '../programs/start/start-program.ts';

/** A folder of ralph's above others that are only read: what is written goes to `upper`. Absolute paths on one disk. */
export type Layer = {
  /** The uppermost first. */
  readonly lower: readonly string[];
  readonly upper: string;
  /** Of the kernel's own. */
  readonly work: string;
};

/** A trial takes milliseconds; longer than this only on a machine that hangs. */
const TRIAL_MS = 10_000;
/** By names that are ralph's: `mount` reads characters of a path otherwise. */
const TABLE = 'layers';
const SCRIPT = `cd -- "$1" && "$2" -a -T ./${TABLE} && shift 2 && exec "$@"`;

/** The folder in which a layer is seen once `withLayers` mounted it, by its place in the list. */
export function seenLayer(own: string, at: number): string {
  return join(own, 'seen', String(at));
}

/**
 * What is to be started so that a program sees layers: the same program, in a mount namespace of its own where the kernel has put
 * each folder above what is below it. It ends with the program.
 *
 * @param own A folder of this launch alone.
 * @param isForeign Root in a repository of another user: it needs no user namespace, and could write nothing in one.
 */
export function withLayers(
  own: string,
  layers: readonly Layer[],
  program: string,
  isForeign: boolean,
): { readonly program: string; readonly args: readonly string[] } {
  if (layers.length === 0) return { program, args: [] };
  const unshare = ownProgram('unshare');
  if (unshare.kind === 'missing') throw new Error(unshare.message);
  const folder = writeTable(own, layers);
  const users = isForeign ? [] : ['--user', '--map-root-user'];
  // `mount` by its path: this is outside of the box, and agents may have put something in a folder of PATH.
  const mount = ['/bin/sh', '-c', SCRIPT, 'sh', folder, ownProgramPath('mount', folder)];
  return { program: unshare.path, args: [...users, '--mount', ...mount, program] };
}

/** The kernel leaves folders in them without any permission, and that could not be removed. */
export function openWorkFolders(layers: readonly Layer[]): void {
  for (const { work } of layers) {
    try {
      chmodSync(join(work, 'work'), 0o700);
    } catch {
      // It was never mounted.
    }
  }
}

function writeTable(own: string, layers: readonly Layer[]): string {
  const folder = join(own, 'seen');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lines = layers.map(({ lower, upper, work }, at) => {
    for (const path of [join(folder, String(at)), upper, work])
      mkdirSync(path, { recursive: true, mode: 0o700 });
    const link = (name: string, to: string) => {
      symlinkSync(to, join(folder, `${at}.${name}`));
      return `${at}.${name}`;
    };
    const below = lower.map((path, number) => link(String(number), path)).join(':');
    const options = `lowerdir=${below},upperdir=${link('upper', upper)},workdir=${link('work', work)}`;
    return `ralph ${at} overlay ${options},userxattr 0 0\n`;
  });
  writeFileSync(join(folder, TABLE), lines.join(''));
  return folder;
}

let known: { readonly problem: string | null } | null = null;

/** Why that doesn't work here, tried out once in a folder on the disk where copies lie; `null`: it does. */
export function layersProblem(place: string, isForeign: boolean): string | null {
  known ??= { problem: tryOut(place, isForeign) };
  return known.problem;
}

function tryOut(place: string, isForeign: boolean): string | null {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.env.RALPH_LAYERS === 'off') return 'RALPH_LAYERS=off';
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(place, 'trial-'));
  const layer = { lower: [join(folder, 'lower')], upper: join(folder, 'upper'), work: join(folder, 'work') };
  try {
    mkdirSync(join(folder, 'lower'));
    writeFileSync(join(folder, 'lower', 'below'), '');
    const { program, args } = withLayers(folder, [layer], 'test', isForeign);
    const { status, stderr } = startSync(program, [...args, '-e', '0/below'], { timeout: TRIAL_MS });
    return status === 0 ? null : (stderr.trim().split('\n').at(-1) ?? '') || 'the kernel makes none';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    openWorkFolders([layer]);
    rmSync(folder, { recursive: true, force: true });
  }
}
