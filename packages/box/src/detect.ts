import { plainText } from 'ralph-kit/files/plain-file';
import { ownProgram } from 'ralph-kit/programs/start/own-program';
import { startSync } from 'ralph-kit/programs/start/start-program';
import { baseArguments } from './command-line.ts';
import type { BoxLevel, BoxStatus } from './protocol/index.ts';

/** A trial takes milliseconds; only a hanging machine reaches this limit. */
const TRIAL_MS = 10_000;

const cache = new Map<string, BoxStatus>();

/** Returns the isolation level that works here, tried once with the flags of real boxes. */
export function detectBox(isForeign: boolean): BoxStatus {
  const key = String(isForeign);
  const status = cache.get(key) ?? tryOut(isForeign);
  cache.set(key, status);
  return status;
}

function tryOut(isForeign: boolean): BoxStatus {
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
  // Containers see their host's value.
  const setting = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
  return off(files, fixFor(files, plainText(setting)?.trim() === '1'));
}

const problems = new Map<string, string | null>();

/** Returns `null` when a box can be cut off from the network here. */
export function networkProblem(
  { level, program }: Extract<BoxStatus, { kind: 'on' }>,
  isForeign: boolean,
): string | null {
  const key = String(isForeign);
  if (!problems.has(key)) {
    const isRoot = process.getuid?.() === 0;
    const args = baseArguments({ level, isRoot, isForeign, network: false, nests: false });
    problems.set(key, trial(program, args));
  }
  return problems.get(key) ?? null;
}

function off(reason: string, fix: string): BoxStatus {
  return { kind: 'off', reason, fix };
}

/** Returns bubblewrap's error message; `null` when the trial works. */
function trial(program: string, args: readonly string[]): string | null {
  const run = startSync(program, [...args, '--', '/bin/true'], { timeout: TRIAL_MS });
  if (run.status === 0) return null;
  const lastLine = (run.stderr ?? '').trim().split('\n').at(-1) ?? '';
  return (
    lastLine.replace(/^bwrap: /, '') || (run.error?.message ?? `it ended with ${run.status ?? run.signal}`)
  );
}

/** Messages of bubblewrap when a security module forbids a namespace. */
const FORBIDDEN = /setting up uid map|RTM_NEWADDR|Permission denied/;

const PROFILE = 'bwrap-userns-restrict';

/** AppArmor's own profile allows bubblewrap namespaces without giving the programs inside more rights. */
const LOAD_PROFILE = `AppArmor keeps namespaces from bubblewrap. Load its profile ${PROFILE}: sudo apt install apparmor-profiles && sudo cp -n /usr/share/apparmor/extra-profiles/${PROFILE} /etc/apparmor.d/; sudo apparmor_parser -r /etc/apparmor.d/${PROFILE}`;

const FIXES: readonly (readonly [RegExp, string])[] = [
  [
    /nesting depth|max_\*_namespaces|ENOSPC/,
    'User namespaces are off here: sudo sysctl user.max_user_namespaces=15000',
  ],
  [FORBIDDEN, 'A security module (AppArmor, SELinux) forbids it: docs/BOX.md has what helps.'],
  [
    /No permissions to create|Operation not permitted/,
    'A container forbids it: start it with --security-opt seccomp=unconfined --security-opt systempaths=unconfined, or let the container itself be the box.',
  ],
];

/**
 * Returns advice for a failed trial.
 * @param message Error message of bubblewrap.
 * @param isRestricted AppArmor restricts user namespaces of programs without a profile (Ubuntu 23.10 and newer).
 */
export function fixFor(message: string, isRestricted: boolean): string {
  if (isRestricted && FORBIDDEN.test(message)) return LOAD_PROFILE;
  return FIXES.find(([pattern]) => pattern.test(message))?.[1] ?? 'Run `ralph doctor` for what was seen.';
}

export function boxLine(status: BoxStatus): string {
  if (status.kind === 'off')
    return status.reason === 'bubblewrap was not found'
      ? `box: off; ${status.fix}`
      : `box: off; ${status.reason}. ${status.fix}`;
  return status.level === 'full' ? 'box: on' : 'box: files only; processes are not isolated here';
}
