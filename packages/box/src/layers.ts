import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownProgram, ownProgramPath } from 'ralph-kit/programs/start/own-program';
import { startSync } from 'ralph-kit/programs/start/start-program';

/** A writable folder above read-only ones; writes go to `upper`. Absolute paths on one disk. */
export type Layer = {
  /** Folders below the writable one, the uppermost first. */
  readonly lower: readonly string[];
  readonly upper: string;
  /** Work folder that the kernel's overlay needs. */
  readonly work: string;
};

/** A trial takes milliseconds; only a hanging machine reaches this limit. */
const TRIAL_MS = 10_000;
/** The mount table uses ralph's own names because `mount` interprets some characters of paths. */
const TABLE = 'layers';
const SCRIPT = `cd -- "$1" && "$2" -a -T ./${TABLE} && shift 2 && exec "$@"`;

/** Returns where `withLayers` mounts the layer at this index. */
export function seenLayer(own: string, at: number): string {
  return join(own, 'seen', String(at));
}

/**
 * Returns the program and arguments that start a program in its own mount namespace, where the kernel overlays each
 * layer. The mounts end with the program.
 * @param own Folder of this launch alone.
 * @param isForeign Root in another user's repository: it needs no user namespace and couldn't write in one.
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
  // `mount` by absolute path: this runs outside the box, and agents may have put programs into a folder of PATH.
  const mount = ['/bin/sh', '-c', SCRIPT, 'sh', folder, ownProgramPath('mount', folder)];
  return { program: unshare.path, args: [...users, '--mount', ...mount, program] };
}

/** The kernel leaves work folders without permissions, which couldn't be removed. */
export function openWorkFolders(layers: readonly Layer[]): void {
  for (const { work } of layers) {
    try {
      chmodSync(join(work, 'work'), 0o700);
    } catch {
      // An error means that the layer was never mounted, so there is no work folder.
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

/** Returns why layers don't work here, tried once on the disk that holds copies; `null` when they work. */
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
