import type { BoxLevel } from '../../domain/box/box.ts';
import type { Mount } from './mounts.ts';

export type BoxOptions = {
  readonly level: BoxLevel;
  readonly isRoot: boolean;
  /** Root works in a repository of another user: it keeps the right to write there, and no user namespace. */
  readonly isForeign: boolean;
  readonly network: boolean;
  /** Another sandbox is made in this one. */
  readonly nests: boolean;
  /** bubblewrap is root in a namespace of its own, and what it starts is who ralph is. */
  readonly asUser?: boolean;
};

/** A root that shares no ids with the owner of the files could write none of them. */
const OF_FOREIGN = ['CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_CHOWN', 'CAP_FSETID'];

/**
 * Arguments of bubblewrap without mounts: what `detect.ts` tries.
 * @see docs/BOX.md
 */
export function baseArguments(options: BoxOptions): string[] {
  const { level, isRoot, isForeign, network, nests, asUser = false } = options;
  const isFull = level === 'full';
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev'],
    ...(isFull ? ['--proc', '/proc', '--unshare-pid'] : []),
    ...(isForeign ? [] : ['--unshare-user']),
    ...(asUser && !isForeign ? identity() : []),
    ...['--unshare-ipc', ...(network ? [] : ['--unshare-net'])],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...(isForeign ? OF_FOREIGN.flatMap((one) => ['--cap-add', one]) : []),
    // Without it, the kernel lets root map its own number into no namespace.
    ...(isRoot && nests ? ['--cap-add', 'CAP_SETFCAP'] : []),
    // Otherwise root could name the program that the kernel starts when something crashes.
    ...(isRoot && isFull
      ? ['--ro-bind', '/proc/sys', '/proc/sys', '--ro-bind-try', '/proc/mtrr', '/proc/mtrr']
      : []),
  ];
}

function identity(): string[] {
  const { getuid, getgid } = process;
  return ['--uid', String(getuid?.() ?? 0), '--gid', String(getgid?.() ?? 0)];
}

/** All arguments up to `--` and the program. */
export function boxArguments(options: BoxOptions, mounts: readonly Mount[], cwd: string): string[] {
  return [...baseArguments(options), ...mounts.flatMap(mountArguments), '--chdir', cwd];
}

function mountArguments({ access, path, from, kind }: Mount): string[] {
  if (access === 'write') return ['--bind', from, path];
  if (access === 'read') return ['--ro-bind', from, path];
  return kind === 'folder' ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
}
