import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../domain/ports.ts';
import { launchInBox } from './launch-in-box.ts';
import { launchInGroup } from './launch-in-group.ts';
import { launchWithShim } from './launch-with-shim.ts';
import { resolveExecutable } from './resolve-executable.ts';
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
  const command = inBox(request, program.path);
  if (command.statusFile !== null && command.holdsProcesses)
    return launchInBox(command, command.statusFile, marker, clock);
  await command.before?.();
  if (tool?.kind === 'found') {
    const launched = await launchWithShim(tool, command, marker, clock);
    if (launched.kind !== 'unsupported') return begun(launched, request);
  }
  return begun(await launchInGroup(command, marker, clock), request);
}

/** Without a word of ralph's to wait for, what is started runs. */
function begun(launched: Launch, { onBegun }: LaunchRequest): Launch {
  if (launched.kind === 'running') onBegun?.();
  return launched;
}

/**
 * bubblewrap asks the kernel to end with ralph before anything starts in the box, and doesn't notice when ralph is gone
 * by then. So the program waits for ralph's word; meanwhile the first process of the box asks for the same.
 */
const ONLY_BELOW_RALPH = '{ echo >&4 && read -r _ <&4; } 2>/dev/null || exit; exec "$@" 4>&-';

function inBox({ box, ...request }: LaunchRequest, path: string): Command {
  const opened = box(path);
  if (opened === null) return { ...request, path, statusFile: null, holdsProcesses: false };
  const { program, args, env, statusFile, holdsProcesses } = opened;
  const before = async () => {
    await request.before?.();
    opened.nameWorker();
  };
  const [, ...rest] = request.argv;
  const inside = holdsProcesses ? ['/bin/sh', '-c', ONLY_BELOW_RALPH, 'sh', path] : [path];
  const argv = ['bwrap', ...args, '--json-status-fd', '3', '--', ...inside, ...rest] as const;
  return { ...request, env, argv, path: program, statusFile, holdsProcesses, before };
}

function holdsNul(request: LaunchRequest): boolean {
  return [...request.argv, ...Object.values(request.env)].some((text) => text?.includes('\0'));
}
