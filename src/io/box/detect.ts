import { spawnSync } from 'node:child_process';
import type { BoxLevel, BoxState } from '../../domain/box/box.ts';
import { ownProgram } from '../proc/launch/own-program.ts';
import { baseArguments } from './command-line.ts';

/** A trial takes milliseconds; longer than this only on a machine that hangs. */
const TRIAL_MS = 10_000;

const known = new Map<string, BoxState>();

/** What can be isolated here, tried out once with the flags that are used. */
export function detectBox(isForeign: boolean): BoxState {
  const key = String(isForeign);
  const state = known.get(key) ?? tryOut(isForeign);
  known.set(key, state);
  return state;
}

function tryOut(isForeign: boolean): BoxState {
  if (process.platform !== 'linux')
    return off('it needs Linux', 'Run ralph on Linux, or in a container or virtual machine.');
  const found = ownProgram('bwrap');
  if (found.kind === 'missing') return off('bubblewrap was not found', 'apt install bubblewrap');
  const options = { isRoot: process.getuid?.() === 0, isForeign, network: true, nests: false };
  const tried = (level: BoxLevel) => trial(found.path, baseArguments({ level, ...options }));
  const full = tried('full');
  if (full === null) return { kind: 'on', level: 'full', program: found.path, reason: '' };
  const files = tried('files');
  if (files === null) return { kind: 'on', level: 'files', program: found.path, reason: full };
  return off(files, fixFor(files));
}

function off(reason: string, fix: string): BoxState {
  return { kind: 'off', reason, fix };
}

/** `null` when it works, else what bubblewrap says. */
function trial(program: string, args: readonly string[]): string | null {
  const run = spawnSync(program, [...args, '--', '/bin/true'], { encoding: 'utf8', timeout: TRIAL_MS });
  if (run.status === 0) return null;
  const said = (run.stderr ?? '').trim().split('\n').at(-1) ?? '';
  return said.replace(/^bwrap: /, '') || (run.error?.message ?? `it ended with ${run.status ?? run.signal}`);
}

/** Messages of bubblewrap with what helps. */
const FIXES: readonly (readonly [RegExp, string])[] = [
  [
    /nesting depth|max_\*_namespaces|ENOSPC/,
    'User namespaces are off here: sudo sysctl user.max_user_namespaces=15000',
  ],
  [
    /setting up uid map|RTM_NEWADDR|Permission denied/,
    'AppArmor forbids it (Ubuntu): allow bwrap user namespaces in /etc/apparmor.d, or: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0',
  ],
  [
    /No permissions to create|Operation not permitted/,
    'A container forbids it: start it with --security-opt seccomp=unconfined --security-opt systempaths=unconfined, or let the container itself be the box.',
  ],
];

function fixFor(message: string): string {
  return FIXES.find(([pattern]) => pattern.test(message))?.[1] ?? 'Run `ralph doctor` for what was seen.';
}

/** The line that a run says. */
export function boxLine(state: BoxState): string {
  if (state.kind === 'off')
    return state.reason === 'bubblewrap was not found'
      ? `box: off; ${state.fix}`
      : `box: off; ${state.reason}. ${state.fix}`;
  return state.level === 'full' ? 'box: on' : 'box: files only; processes are not isolated here';
}
