import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShownCopy } from '../../domain/box/box.ts';
import { ownProgram, ownProgramPath } from '../proc/launch/own-program.ts';
import { startSync } from '../proc/launch/start-program.ts';

/** A trial takes milliseconds; longer than this only on a machine that hangs. */
const TRIAL_MS = 10_000;
/** In a slot's folder: names without a character that `mount` would read otherwise. */
const MOUNT = '-t overlay ralph -o lowerdir=../seed,upperdir=files,workdir=work,userxattr seen';

/** The folder in which a copy is seen above its seed, once `withLayers` mounted it. */
export function seenFolder({ files, seed, folder }: ShownCopy): string {
  return seed === null ? files : join(folder, 'seen');
}

/**
 * What is to be started so that a program sees a copy above its seed: the same program, in a mount namespace of its own
 * where the kernel has put one over the other. It ends with the program.
 *
 * @param isForeign Root in a repository of another user: it needs no user namespace, and could write nothing in one.
 */
export function withLayers(
  copy: ShownCopy | null,
  program: string,
  isForeign: boolean,
): { readonly program: string; readonly args: readonly string[] } {
  if (copy === null || copy.seed === null) return { program, args: [] };
  for (const name of ['work', 'seen']) mkdirSync(join(copy.folder, name), { recursive: true, mode: 0o700 });
  const unshare = ownProgram('unshare');
  if (unshare.kind === 'missing') throw new Error(unshare.message);
  return { program: unshare.path, args: [...unshareArguments(copy.folder, isForeign), program] };
}

function unshareArguments(folder: string, isForeign: boolean): string[] {
  // By its path: this is outside of the box, and agents may have put something in a folder of PATH.
  const script = `cd -- "$1" && "$2" ${MOUNT} && shift 2 && exec "$@"`;
  const users = isForeign ? [] : ['--user', '--map-root-user'];
  return [...users, '--mount', '/bin/sh', '-c', script, 'sh', folder, ownProgramPath('mount', folder)];
}

let known: { readonly problem: string | null } | null = null;

/** Whether that works here, tried out once in a folder on the disk where copies lie. */
export function hasLayers(place: string, isForeign: boolean): boolean {
  return layersProblem(place, isForeign) === null;
}

/** Why that doesn't work here; `null`: it does. */
export function layersProblem(place: string, isForeign: boolean): string | null {
  known ??= { problem: tryOut(place, isForeign) };
  return known.problem;
}

function tryOut(place: string, isForeign: boolean): string | null {
  if (process.platform !== 'linux') return 'it needs Linux';
  if (process.env.RALPH_LAYERS === 'off') return 'RALPH_LAYERS=off';
  const unshare = ownProgram('unshare');
  if (unshare.kind === 'missing') return unshare.message;
  mkdirSync(place, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(place, 'trial-'));
  try {
    for (const name of ['slot/files', 'slot/work', 'slot/seen', 'seed'])
      mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'seed', 'below'), '');
    const args = [...unshareArguments(join(folder, 'slot'), isForeign), 'test', '-e', 'seen/below'];
    const { status, stderr } = startSync(unshare.path, args, { timeout: TRIAL_MS });
    return status === 0 ? null : (stderr.trim().split('\n').at(-1) ?? '') || 'the kernel makes none';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
