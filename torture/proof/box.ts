import { join } from 'node:path';
import type { Finished } from '../../test/helpers/finished.ts';
import { finished } from './command.ts';

/** Runs a command in a box that can write to one folder only, without a network. All its processes end with it. */
export function boxed(folder: string, cwd: string, command: readonly string[]): Promise<Finished> {
  const box = [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
    ...['--bind', folder, folder, '--chdir', cwd, '--setenv', 'GOCACHE', join(folder, 'go-build')],
    ...['--unshare-pid', '--unshare-net', '--die-with-parent', '--new-session'],
  ];
  return finished('bwrap', [...box, ...command], cwd);
}
