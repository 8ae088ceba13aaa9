import { lateText, patience } from 'ralph-kit/programs/start/patience';
import { runShort } from 'ralph-kit/programs/start/start-program';
import { type Answer, done } from './protocol.ts';

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
): Promise<Answer<unknown>> {
  const filter = label === '' ? [] : [`--label=${label}`];
  const limit = ['--state=all', `--limit=${MAX_ISSUES}`, `--json=${fields.join(',')}`];
  const outcome = await askGh(cwd, ['issue', 'list', ...limit, ...filter]);
  if (!outcome.ok) return outcome;
  try {
    return { ok: true, value: JSON.parse(outcome.value) };
  } catch {
    const seen = outcome.value.slice(0, 80).replace(/\s+/g, ' ');
    return {
      ok: false,
      message: `\`gh issue list\` printed no JSON: "${seen}". Run it by hand to see why`,
    };
  }
}

export async function viewIssue(
  cwd: string,
  url: string,
): Promise<Answer<{ readonly title: string; readonly body: string }>> {
  const outcome = await askGh(cwd, ['issue', 'view', url, '--json=title,body']);
  if (!outcome.ok) return outcome;
  try {
    const { title, body } = JSON.parse(outcome.value) as { title: unknown; body: unknown };
    return { ok: true, value: { title: String(title ?? ''), body: String(body ?? '') } };
  } catch {
    return { ok: false, message: '`gh issue view` printed no JSON. Run it by hand to see why' };
  }
}

export function accountInUse(cwd: string): Promise<Answer<string>> {
  return loginFrom(cwd, 'user', (answer) => answer);
}

export function closerOf(cwd: string, number: number): Promise<Answer<string>> {
  return loginFrom(cwd, `repos/{owner}/{repo}/issues/${number}`, ({ closed_by: closer }) => closer);
}

type Login = { readonly login?: unknown };

async function loginFrom(
  cwd: string,
  path: string,
  pick: (answer: Login & { readonly closed_by?: Login | null }) => Login | null | undefined,
): Promise<Answer<string>> {
  const outcome = await askGh(cwd, ['api', path]);
  if (!outcome.ok) return outcome;
  const message = `\`gh api ${path}\` names no login. Run it by hand to see why`;
  try {
    const login = pick(JSON.parse(outcome.value))?.login;
    return typeof login === 'string' ? { ok: true, value: login } : { ok: false, message };
  } catch {
    return { ok: false, message };
  }
}

export async function commentOnIssue(cwd: string, number: number, text: string): Promise<Answer<null>> {
  return done(await askGh(cwd, ['issue', 'comment', String(number), '--body-file=-'], text));
}

export async function closeIssue(cwd: string, number: number): Promise<Answer<null>> {
  return done(await askGh(cwd, ['issue', 'close', String(number)]));
}

/** Returns what `gh` printed. It is run in `cwd`, whose remotes say which repository is meant. */
export async function askGh(cwd: string, args: readonly string[], input = ''): Promise<Answer<string>> {
  const result = await runShort('gh', args, {
    cwd,
    input,
    env: QUIET,
    timeout: TIMEOUT_MS,
    reject: false,
  });
  if (!result.failed) return { ok: true, value: result.stdout };
  const command = `gh ${args.slice(0, 2).join(' ')}`;
  if (result.code === 'ENOENT') {
    const message =
      'GitHub is asked by the program `gh`, which is not on the PATH: install it (https://cli.github.com), then run `gh auth login`';
    return { ok: false, message };
  }
  const stderr = (result.stderr ?? '').trim();
  // gh exits with 4 without an account, with 1 when the server rejects it.
  if (result.exitCode === 4 || /gh auth login|HTTP 401|bad credentials/i.test(stderr)) {
    const message = `\`${command}\` is not signed in to GitHub (${firstLine(stderr)}): run \`gh auth login\``;
    return { ok: false, message };
  }
  const why = result.timedOut
    ? lateText(patience(TIMEOUT_MS))
    : `failed: ${firstLine(stderr) || result.shortMessage}`;
  return { ok: false, message: `\`${command}\` ${why}. Run it by hand to see more` };
}

function firstLine(text: string): string {
  return text.split('\n')[0]?.slice(0, 300) ?? '';
}
