import { randomBytes } from 'node:crypto';
import type { OpenedBox } from '../../../domain/box/box.ts';
import type { Clock } from '../../../domain/ports.ts';
import { resolveExecutable } from '../start/resolve-executable.ts';
import { launchInBox } from './launch-in-box.ts';
import { launchInGroup } from './launch-in-group.ts';
import { launchWithShim } from './launch-with-shim.ts';
import type { Command, Launch, LaunchRequest } from './running.ts';
import { findShimTool } from './shim-tool.ts';

/** `auto` takes the sub-reaper where the machine has one. */
export type Supervision = 'auto' | 'group-scan';

/** What all programs of one `openProc` share. */
export type LaunchOptions = {
  readonly clock: Clock;
  readonly supervision: Supervision;
  /** Beginning of the marker by which the processes of this ralph are found when it is gone. */
  readonly owner: string;
};

/** Starts a program under the best supervision that the machine gives. */
export async function launch(request: LaunchRequest, options: LaunchOptions): Promise<Launch> {
  const { clock, supervision, owner } = options;
  const [name] = request.argv;
  if (holdsNul(request)) {
    const message = `${name} was not started: an argument or environment variable holds a NUL character.`;
    return { kind: 'failed', code: 'EINVAL', message };
  }
  const program = resolveExecutable(name, request.cwd, request.env);
  if (program.kind === 'missing') return { kind: 'failed', code: program.code, message: program.message };

  const marker = `${owner}${randomBytes(12).toString('hex')}`;
  const tool = supervision === 'auto' ? findShimTool() : null;
  const { box: boxFor, ...boxless } = request;
  const opened = boxFor(program.path);
  if (opened?.holdsProcesses) return launchInBox(boxless, program.path, opened, marker, clock);
  const command =
    opened === null
      ? { ...boxless, path: program.path, statusFile: null, serve: null }
      : behindBox(boxless, program.path, opened);
  if (tool?.kind === 'found') {
    const launched = await launchWithShim(tool, command, marker, clock);
    if (launched.kind !== 'unsupported') return launched;
  }
  return launchInGroup(command, marker, clock);
}

/** bubblewrap isolates files alone here, and is followed as any program. */
function behindBox(
  { argv: [, ...words], ...request }: Omit<LaunchRequest, 'box'>,
  path: string,
  { program, args, front, serve, env, statusFile }: OpenedBox,
): Command {
  const argv = ['bwrap', ...args, '--json-status-fd', '3', '--', ...front, path, ...words] as const;
  return { ...request, env, argv, path: program, statusFile, serve };
}

function holdsNul(request: LaunchRequest): boolean {
  return [...request.argv, ...Object.values(request.env)].some((text) => text?.includes('\0'));
}
