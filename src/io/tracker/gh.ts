import { lateText, patience } from 'ralph-kit/programs/start/patience';
import { runShort } from 'ralph-kit/programs/start/start-program';

export type GhOutcome<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'gh_missing'; readonly message: string }
  | { readonly kind: 'not_signed_in'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

/** `gh` lists 30 by default; a label with more issues than this isn't a task list. */
const MAX_ISSUES = 2000;
const TIMEOUT_MS = 60_000;
/** Environment in which gh asks nothing, uses no pager and prints no notices, as a program reads its output. */
const QUIET = { GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', GH_PAGER: '', NO_COLOR: '1' };

/** Returns all open and closed issues as `gh` prints them; an empty `label` means any. */
export async function listIssues(
  cwd: string,
  label: string,
  fields: readonly string[],
): Promise<GhOutcome<unknown>> {
  const filter = label === '' ? [] : [`--label=${label}`];
  const limit = ['--state=all', `--limit=${MAX_ISSUES}`, `--json=${fields.join(',')}`];
  const outcome = await runGh(cwd, ['issue', 'list', ...limit, ...filter], '');
  if (outcome.kind !== 'ok') return outcome;
  try {
    return { kind: 'ok', value: JSON.parse(outcome.value) };
  } catch {
    const seen = outcome.value.slice(0, 80).replace(/\s+/g, ' ');
    return {
      kind: 'failed',
      message: `\`gh issue list\` printed no JSON: "${seen}". Run it by hand to see why`,
    };
  }
}

export async function viewIssue(
  cwd: string,
  url: string,
): Promise<GhOutcome<{ readonly title: string; readonly body: string }>> {
  const outcome = await runGh(cwd, ['issue', 'view', url, '--json=title,body'], '');
  if (outcome.kind !== 'ok') return outcome;
  try {
    const { title, body } = JSON.parse(outcome.value) as { title: unknown; body: unknown };
    return { kind: 'ok', value: { title: String(title ?? ''), body: String(body ?? '') } };
  } catch {
    return { kind: 'failed', message: '`gh issue view` printed no JSON. Run it by hand to see why' };
  }
}

export function accountInUse(cwd: string): Promise<GhOutcome<string>> {
  return loginFrom(cwd, 'user', (answer) => answer);
}

export function closerOf(cwd: string, number: number): Promise<GhOutcome<string>> {
  return loginFrom(cwd, `repos/{owner}/{repo}/issues/${number}`, ({ closed_by: closer }) => closer);
}

export async function pullRequest(
  cwd: string,
  number: number,
): Promise<GhOutcome<{ readonly base: string; readonly repository: string }>> {
  const outcome = await runGh(cwd, ['pr', 'view', String(number), '--json=baseRefName,url'], '');
  if (outcome.kind !== 'ok') return outcome;
  const message = '`gh pr view` names no branch and no address. Run it by hand to see why';
  try {
    const { baseRefName: base, url } = JSON.parse(outcome.value) as { baseRefName: unknown; url: unknown };
    const repository = /^https?:\/\/[^/]+\/(.+)\/pull\/\d+/.exec(String(url))?.[1];
    return typeof base === 'string' && repository !== undefined
      ? { kind: 'ok', value: { base, repository } }
      : { kind: 'failed', message };
  } catch {
    return { kind: 'failed', message };
  }
}

type Login = { readonly login?: unknown };

async function loginFrom(
  cwd: string,
  path: string,
  pick: (answer: Login & { readonly closed_by?: Login | null }) => Login | null | undefined,
): Promise<GhOutcome<string>> {
  const outcome = await runGh(cwd, ['api', path], '');
  if (outcome.kind !== 'ok') return outcome;
  const message = `\`gh api ${path}\` names no login. Run it by hand to see why`;
  try {
    const login = pick(JSON.parse(outcome.value))?.login;
    return typeof login === 'string' ? { kind: 'ok', value: login } : { kind: 'failed', message };
  } catch {
    return { kind: 'failed', message };
  }
}

export async function commentOnIssue(cwd: string, number: number, text: string): Promise<GhOutcome<null>> {
  return done(await runGh(cwd, ['issue', 'comment', String(number), '--body-file=-'], text));
}

export async function closeIssue(cwd: string, number: number): Promise<GhOutcome<null>> {
  return done(await runGh(cwd, ['issue', 'close', String(number)], ''));
}

function done(outcome: GhOutcome<string>): GhOutcome<null> {
  return outcome.kind === 'ok' ? { kind: 'ok', value: null } : outcome;
}

async function runGh(cwd: string, args: readonly string[], input: string): Promise<GhOutcome<string>> {
  const result = await runShort('gh', args, {
    cwd,
    input,
    env: QUIET,
    timeout: TIMEOUT_MS,
    reject: false,
  });
  if (!result.failed) return { kind: 'ok', value: result.stdout };
  const command = `gh ${args.slice(0, 2).join(' ')}`;
  if (result.code === 'ENOENT') {
    const message =
      'GitHub is asked by the program `gh`, which is not on the PATH: install it (https://cli.github.com), then run `gh auth login`';
    return { kind: 'gh_missing', message };
  }
  const stderr = (result.stderr ?? '').trim();
  // gh exits with 4 without an account, with 1 when the server rejects it.
  if (result.exitCode === 4 || /gh auth login|HTTP 401|bad credentials/i.test(stderr)) {
    const message = `\`${command}\` is not signed in to GitHub (${firstLine(stderr)}): run \`gh auth login\``;
    return { kind: 'not_signed_in', message };
  }
  const why = result.timedOut
    ? lateText(patience(TIMEOUT_MS))
    : `failed: ${firstLine(stderr) || result.shortMessage}`;
  return { kind: 'failed', message: `\`${command}\` ${why}. Run it by hand to see more` };
}

function firstLine(text: string): string {
  return text.split('\n')[0]?.slice(0, 300) ?? '';
}
