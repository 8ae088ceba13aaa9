import type { PushProblem } from '../../domain/push.ts';
import { stripControl } from '../../lib/text.ts';
import { ownProgram } from '../programs/start/own-program.ts';
import { lateText, patience } from '../programs/start/patience.ts';
import { runShort } from '../programs/start/start-program.ts';

/** A repository at a code host, and the program that is signed in there. */
export type CodeHost = {
  readonly program: 'gh' | 'glab';
  readonly host: string;
  /** `OWNER/NAME`; at GitLab there may be more groups before it. */
  readonly repository: string;
};

const URL_FORM = /^(?:https?|ssh|git):\/\/(?:[^/@]*@)?([^/:@]+)(?::\d+)?\/+(.+)$/;
const SCP_FORM = /^(?:[^/@:]+@)?([^/:@]+):(?!\/\/)\/?(.+)$/;

/** The code host of the first of a remote's addresses that is at one, by the name of its host; `null`: none is. */
export function codeHostOf(urls: readonly string[]): CodeHost | null {
  for (const url of urls) {
    const [, name = '', path = ''] = URL_FORM.exec(url) ?? SCP_FORM.exec(url) ?? [];
    // Where ssh is offered at the port of https.
    const host = name.toLowerCase().replace(/^(?:alt)?ssh\./, '');
    const program = host.includes('github') ? 'gh' : host.includes('gitlab') ? 'glab' : null;
    const repository = path.replace(/\/+$/, '').replace(/\.git$/, '');
    if (program !== null && /^[\w.-]+(?:\/[\w.-]+)+$/.test(repository)) return { program, host, repository };
  }
  return null;
}

/** No questions, no pager, no notices: a program reads the output. */
const QUIET = {
  ...{ GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', GH_PAGER: '', NO_COLOR: '1' },
  ...{ NO_PROMPT: '1', GLAB_CHECK_UPDATE: 'false' },
};
const LIMIT_MS = 60_000;
/** Characters of what it says that are kept. */
const MOST_TEXT = 500;

export type HostAnswer =
  | { readonly ok: true; readonly text: string }
  | ({ readonly ok: false } & PushProblem);

/**
 * Calls the program, in no repository: in the checkout it would go by settings that an agent may have written.
 *
 * @param root The repository, in which no program is looked for.
 */
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

/** Why the program can't open pull requests: it isn't there, or not signed in; `null`: it can. */
export async function signInProblem(at: CodeHost, root: string): Promise<PushProblem | null> {
  const answer = await callHost(at, root, ['auth', 'status', '--hostname', at.host]);
  return answer.ok ? null : answer;
}
