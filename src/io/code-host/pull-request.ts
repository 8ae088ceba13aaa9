import { cutMarkdown } from 'ralph-kit/markdown';
import { shellQuote } from 'ralph-kit/shell-quote';
import { tryOr } from 'ralph-kit/try-or';
import * as z from 'zod/mini';
import type { PullRequest, PullRequestOpened } from '../../domain/ports.ts';
import { type CodeHost, callHost, codeHostOf, type HostAnswer } from './code-host.ts';

/** Limits of code hosts for a pull request's text and title, in characters. */
const MOST_TEXT = 65_536;
const MOST_TITLE = 200;
/** Markers around the report, so that your text beside it stays. */
const [BEGIN, END] = ['<!-- ralph:report -->', '<!-- /ralph:report -->'];

type Wanted = Omit<PullRequest, 'report'> & {
  /** The report of the run, in Markdown. */
  readonly report: string;
};

const NO_HOST = 'the remote is neither at GitHub nor at GitLab';

const Open = z.object({ number: z.number(), url: z.string(), text: z.nullable(z.string()) });
type Open = z.infer<typeof Open>;

type Api = {
  readonly list: (at: CodeHost, head: string) => string;
  readonly all: (at: CodeHost) => string;
  readonly update: 'PATCH' | 'PUT';
  readonly open: (given: Wanted, title: string, text: string) => object;
  readonly text: (text: string) => object;
  /** Commands to view a pull request and to open one yourself. */
  readonly byHand: (at: CodeHost, given: Wanted) => { readonly view: string; readonly open: string };
  readonly read: (answer: Readonly<Record<string, unknown>>) => object;
};

const APIS: Readonly<Record<CodeHost['program'], Api>> = {
  gh: {
    all: ({ repository }) => `repos/${repository}/pulls`,
    list: ({ repository }, head) =>
      `?state=open&head=${encodeURIComponent(`${repository.split('/')[0]}:${head}`)}`,
    update: 'PATCH',
    open: ({ head, base, draft }, title, body) => ({ title, head, base, body, draft }),
    text: (body) => ({ body }),
    byHand: ({ host, repository }, { head, base }) => {
      const of = `--repo ${host}/${repository} --head ${shellQuote(head)}`;
      return { view: `gh pr list ${of}`, open: `gh pr create ${of} --base ${shellQuote(base)}` };
    },
    read: ({ number, html_url: url, body }) => ({ number, url, text: body }),
  },
  glab: {
    all: ({ repository }) => `projects/${encodeURIComponent(repository)}/merge_requests`,
    list: (_, head) => `?state=opened&source_branch=${encodeURIComponent(head)}`,
    update: 'PUT',
    open: ({ head, base, draft }, title, description) => ({
      title: draft ? `Draft: ${title}` : title,
      description,
      source_branch: head,
      target_branch: base,
    }),
    text: (description) => ({ description }),
    byHand: ({ host, repository }, { head, base }) => {
      const of = `--repo https://${host}/${repository} --source-branch ${shellQuote(head)}`;
      return { view: `glab mr list ${of}`, open: `glab mr create ${of} --target-branch ${shellQuote(base)}` };
    },
    read: ({ iid: number, web_url: url, description: text }) => ({ number, url, text }),
  },
};

/** Opens a pull request, or updates the report in an open one. Text from tasks goes to standard input. */
export async function openPullRequest(root: string, given: Wanted): Promise<PullRequestOpened> {
  const at = codeHostOf(given.urls);
  if (at === null) return { ok: false, url: null, reason: NO_HOST, next: null };
  const api = APIS[at.program];
  const all = api.all(at);
  const call = (method: string, path: string, body?: object) => {
    const args = ['api', '--hostname', at.host, '--method', method, path];
    const withBody = ['--header', 'Content-Type: application/json', '--input', '-'];
    return callHost(
      at,
      root,
      body === undefined ? args : [...args, ...withBody],
      body && JSON.stringify(body),
    );
  };
  const listed = readAll(await call('GET', `${all}${api.list(at, given.head)}`), api);
  const byHand = api.byHand(at, given);
  if (!listed.ok) return { ...listed, next: listed.next ?? byHand.view };
  const [existing] = listed.open;
  if (existing !== undefined) {
    const answer = await call(
      api.update,
      `${all}/${existing.number}`,
      api.text(withReport(existing.text ?? '', given.report)),
    );
    if (answer.ok) return { ok: true, url: existing.url };
    return { ...answer, next: answer.next ?? byHand.view, url: existing.url };
  }
  if (!given.mayOpen) return { ok: true, url: null };
  const title = given.title.slice(0, MOST_TITLE);
  const made = readAll(await call('POST', all, api.open(given, title, withReport('', given.report))), api);
  if (!made.ok) return { ...made, next: made.next ?? byHand.open };
  const [opened] = made.open;
  return opened === undefined ? { ...UNKNOWN_FORM, next: byHand.view } : { ok: true, url: opened.url };
}

const UNKNOWN_FORM = {
  ok: false,
  reason: 'the code host answered in a form that is not known',
  next: null,
  url: null,
} as const;

function readAll(
  answer: HostAnswer,
  api: Api,
): { ok: true; open: Open[] } | Extract<PullRequestOpened, { ok: false }> {
  if (!answer.ok) return { ...answer, url: null };
  const read = z.safeParse(
    z.array(z.record(z.string(), z.unknown())),
    tryOr(null, () => [JSON.parse(answer.text)].flat()),
  );
  const open = z.safeParse(z.array(Open), read.success ? read.data.map(api.read) : null);
  return open.success ? { ok: true, open: open.data } : UNKNOWN_FORM;
}

/** Returns the text with the report replaced, or appended when it has none. */
function withReport(text: string, report: string): string {
  const [from, to] = [text.indexOf(BEGIN), text.lastIndexOf(END)];
  const isThere = from >= 0 && to > from;
  const before = isThere ? text.slice(0, from) : text === '' ? '' : `${text}\n\n`;
  const after = isThere ? text.slice(to + END.length) : '';
  const room = MOST_TEXT - before.length - after.length - BEGIN.length - END.length - 2;
  return `${before}${BEGIN}\n${cutMarkdown(report, Math.max(0, room))}\n${END}${after}`;
}
