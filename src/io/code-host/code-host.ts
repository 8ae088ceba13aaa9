import { ownProgram } from 'ralph-kit/programs/start/own-program';
import { lateText, patience } from 'ralph-kit/programs/start/patience';
import { runShort } from 'ralph-kit/programs/start/start-program';
import { stripControl } from 'ralph-kit/text';
import type { PushProblem } from '../../domain/push.ts';

/** A repository on a code host, and the program signed in there. */
export type CodeHost = {
  readonly program: 'gh' | 'glab';
  readonly host: string;
  /** `OWNER/NAME`; GitLab may have more groups before it. */
  readonly repository: string;
};

const URL_FORM = /^(?:https?|ssh|git):\/\/(?:[^/@]*@)?([^/:@]+)(?::\d+)?\/+(.+)$/;
const SCP_FORM = /^(?:[^/@:]+@)?([^/:@]+):(?!\/\/)\/?(.+)$/;

/** Returns the code host of the first address that belongs to one, judged by host name; `null` when none does. */
export function codeHostOf(urls: readonly string[]): CodeHost | null {
  for (const url of urls) {
    const [, name = '', path = ''] = URL_FORM.exec(url) ?? SCP_FORM.exec(url) ?? [];
    // Hosts that offer ssh on the https port have names like this.
    const host = name.toLowerCase().replace(/^(?:alt)?ssh\./, '');
    const program = host.includes('github') ? 'gh' : host.includes('gitlab') ? 'glab' : null;
    const repository = path.replace(/\/+$/, '').replace(/\.git$/, '');
    if (program !== null && /^[\w.-]+(?:\/[\w.-]+)+$/.test(repository)) return { program, host, repository };
  }
  return null;
}

/** Environment in which gh and glab ask nothing, use no pager and print no notices, as a program reads their output. */
const QUIET = {
  GH_PROMPT_DISABLED: '1',
  GH_NO_UPDATE_NOTIFIER: '1',
  GH_PAGER: '',
  NO_COLOR: '1',
  NO_PROMPT: '1',
  GLAB_CHECK_UPDATE: 'false',
};
const LIMIT_MS = 60_000;
/** Number of characters kept from an error message. */
const MOST_TEXT = 500;

export type HostAnswer =
  | { readonly ok: true; readonly text: string }
  | ({ readonly ok: false } & PushProblem);

/** Runs outside the repository, whose settings an agent may have written. @param root No program is used from here. */
export async function callHost(
  { program, host }: CodeHost,
  root: string,
  args: readonly string[],
  input = '',
): Promise<HostAnswer> {
  const found = ownProgram(program, root);
  const no = (reason: string, next: string | null): HostAnswer => ({ ok: false, reason, next });
  const signIn = `${program} auth login --hostname ${host}`;
  if (found.kind === 'missing') return no(`${program} was not found. Install it and sign in`, signIn);
  const options = { cwd: '/', input, env: QUIET, timeout: LIMIT_MS, reject: false };
  const end = await runShort(found.path, args, options);
  if (!end.failed) return { ok: true, text: end.stdout };
  const text = stripControl(end.stderr).trim().slice(0, MOST_TEXT).replaceAll('\n', ' ');
  if (end.timedOut) return no(`${program} ${lateText(patience(LIMIT_MS))}`, `${program} auth status`);
  const isSignedOut =
    end.exitCode === 4 || args[0] === 'auth' || /auth login|HTTP 401|bad credentials/i.test(text);
  if (isSignedOut) return no(`${program} isn't signed in at ${host}`, signIn);
  return no(`${program} says: ${text || end.shortMessage}`, null);
}

/** Returns why pull requests can't be opened (program missing or not signed in); `null` when they can. */
export async function signInProblem(at: CodeHost, root: string): Promise<PushProblem | null> {
  const answer = await callHost(at, root, ['auth', 'status', '--hostname', at.host]);
  return answer.ok ? null : answer;
}
