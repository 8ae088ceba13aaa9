import { lateText, patience } from 'ralph-kit/programs/start/patience';
import { runShort } from 'ralph-kit/programs/start/start-program';
import { FETCH_PLAINLY } from './remote-call.ts';

/** Time limit for a slow server, in milliseconds. */
const PATIENCE_MS = 5 * 60_000;

/** `commits` in the order of the refs; `why` is git's message. */
type Fetched =
  | { readonly ok: true; readonly commits: readonly string[] }
  | { readonly ok: false; readonly why: string };

/** Fetches commits like a user would, changing no ref, file or setting. */
export async function fetchRefs(root: string, remote: string, refs: readonly string[]): Promise<Fetched> {
  const env = { GIT_TERMINAL_PROMPT: '0' };
  const options = { cwd: root, env, reject: false, timeout: PATIENCE_MS, stdin: 'ignore' as const };
  const listed = await runShort('git', ['ls-remote', '--', remote, ...refs], options);
  const got = listed.failed
    ? listed
    : await runShort('git', ['-c', 'gc.auto=0', 'fetch', ...FETCH_PLAINLY, '--', remote, ...refs], options);
  if (got.timedOut) {
    const command = got === listed ? 'ls-remote' : 'fetch';
    return { ok: false, why: `git ${command} ${lateText(patience(PATIENCE_MS))}` };
  }
  if (got.failed) return { ok: false, why: got.stderr.trim().split('\n')[0] || got.shortMessage };
  const known = new Map(listed.stdout.split('\n').map((line) => [line.split('\t')[1], line.split('\t')[0]]));
  const commits = refs.map((ref) => known.get(ref) ?? '');
  const missing = refs.find((_, at) => commits[at] === '');
  return missing === undefined ? { ok: true, commits } : { ok: false, why: `${remote} has no ${missing}` };
}
