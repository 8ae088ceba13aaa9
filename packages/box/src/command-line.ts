import type { Mount } from './mounts.ts';
import type { BoxLevel } from './protocol/index.ts';

export type BoxFlags = {
  readonly level: BoxLevel;
  readonly isRoot: boolean;
  /** Root works in another user's repository: it keeps the right to write there and gets no user namespace. */
  readonly isForeign: boolean;
  readonly network: boolean;
  /** Another sandbox is made inside this one. */
  readonly nests: boolean;
  /** bubblewrap is root in a namespace of its own; the program it starts runs as ralph's user. */
  readonly asUser?: boolean;
};

/** Without these capabilities, root that shares no ids with the files' owner couldn't write them. */
const OF_FOREIGN = ['CAP_DAC_OVERRIDE', 'CAP_FOWNER', 'CAP_CHOWN', 'CAP_FSETID'];

/** Returns bubblewrap's arguments without mounts, as `detect.ts` tries them. @see docs/BOX.md */
export function baseArguments(options: BoxFlags): string[] {
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
    // Root needs this capability to map its own number into a namespace.
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

/** Returns all arguments before `--` and the program. */
export function boxArguments(options: BoxFlags, mounts: readonly Mount[], cwd: string): string[] {
  return [...baseArguments(options), ...mounts.flatMap(mountArguments), '--chdir', cwd];
}

function mountArguments({ access, path, from, kind }: Mount): string[] {
  if (access === 'write') return ['--bind', from, path];
  if (access === 'read') return ['--ro-bind', from, path];
  return kind === 'folder' ? ['--tmpfs', path] : ['--ro-bind', '/dev/null', path];
}
