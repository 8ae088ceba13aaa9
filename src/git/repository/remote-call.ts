import { ownPath } from 'ralph-kit/programs/start/own-program';
import type { RefMove } from '../../domain/ports.ts';
import { type GitCall, gitCall } from '../call/environment.ts';
import { setting } from '../call/settings.ts';
import type { WorkTree } from '../call/work-tree.ts';

/** Interval in seconds in which a live server sends something; ssh asks three times. */
const SILENCE_SECONDS = 20;
/** Without this limit, git waits forever on a broken network. */
const IMPATIENT = {
  GIT_HTTP_LOW_SPEED_LIMIT: '1',
  GIT_HTTP_LOW_SPEED_TIME: String(3 * SILENCE_SECONDS),
};

/** Returns a call that uses your keys and asks no questions. */
export async function remoteCall(tree: WorkTree): Promise<GitCall> {
  const silent = nonInteractive(await setting(tree, 'path', 'core.sshCommand'));
  const isSet =
    process.env.GIT_HTTP_LOW_SPEED_TIME !== undefined ||
    (await setting(tree, 'int', 'http.lowSpeedTime')) !== null;
  const env = { LC_ALL: 'C', PATH: ownPath(tree.top), ...silent, ...(isSet ? {} : IMPATIENT) };
  return gitCall({ kind: 'user', tree, hooks: '/dev/null' }, env);
}

/** Returns variables that keep git and ssh from asking questions. @param sshCommand The setting `core.sshCommand`. */
export function nonInteractive(sshCommand: string | null): NodeJS.ProcessEnv {
  const { GIT_SSH_COMMAND, GIT_SSH } = process.env;
  const ssh = GIT_SSH_COMMAND ?? sshCommand ?? (GIT_SSH === undefined ? 'ssh' : '');
  const silent = { GIT_ASKPASS: '', SSH_ASKPASS_REQUIRE: 'never', GCM_INTERACTIVE: 'never' };
  // Other programs don't know ssh's options.
  if (!/^(?:\S*\/)?ssh(?:\s|$)/.test(ssh)) return silent;
  return {
    ...silent,
    GIT_SSH_COMMAND: `${ssh} -o BatchMode=yes -o ServerAliveInterval=${SILENCE_SECONDS}`,
  };
}

/** Addresses may contain a name and password. */
export function withoutUser(text: string): string {
  return text.replace(/:\/\/[^\s/@]+@/g, '://');
}

/** Only objects are written to the user's repository. */
export const FETCH_PLAINLY = [
  ...['--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--refmap='],
];
export const PUSH_PLAINLY = ['--no-force', '--no-mirror', '--no-follow-tags', '--recurse-submodules=no'];

/** Returns options that move refs atomically from their known values. */
export function together(moves: readonly RefMove[]): string[] {
  return ['--atomic', ...moves.map(({ ref, from }) => `--force-with-lease=${ref}:${from ?? ''}`)];
}

export function specsOf(moves: readonly RefMove[]): string[] {
  return moves.map(({ ref, to }) => `${to ?? ''}:${ref}`);
}
