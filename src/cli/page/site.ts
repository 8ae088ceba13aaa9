import { oneByOne } from 'ralph-kit/one-by-one';
import { shellQuote } from 'ralph-kit/shell-quote';
import { capitalized, withoutEscapes } from 'ralph-kit/text';
import { openFleetView } from '../../app/commands/fleet/view.ts';
import { openReader, type RepositoryReader } from '../../app/commands/follow-repository.ts';
import { gateAt } from '../../app/commands/human/approvals.ts';
import { refuseAgent } from '../../app/commands/page/refuse-agent.ts';
import { type PageRepository, pageRepository } from '../../app/commands/page/repositories.ts';
import type { Asked, Reply, Site } from '../../app/commands/page/serve-page.ts';
import { newMemo, wholeReport } from '../../app/commands/report-page.ts';
import { terminalWith } from '../../io/ui/index.ts';
import { htmlPage, liveContent, type PageContent, POLICY_OF_SERVER } from '../render/page/html.ts';
import type { Part } from '../render/page/parts.ts';
import { fitted } from '../render/page/report-page.ts';
import { act, type CommandEffect, refusalOf } from '../screen/act.ts';
import type { Effect } from '../screen/effect.ts';
import type { Outcome } from '../screen/session.ts';
import type { ChoiceOption, View } from '../screen/state.ts';
import { type Row, rowsOf } from '../screen/tasks.ts';
import { livePage, pathOf } from './live-page.ts';
import { openOffers, type Place } from './offers.ts';
import {
  choicePage,
  enterPage,
  homePage,
  problemPage,
  sectionsPart,
  servedReport,
  textPage,
  textPart,
} from './other-pages.ts';

/** The report that a read-only page shows; `null`: the page shows repositories. */
export type ReportChoice = { readonly run: string | null; readonly since: Date | null };

type SiteOptions = {
  /** Returns the top folders of the repositories on the page; called for each list of them. */
  readonly folders: () => readonly string[];
  /** The report to show first on a page on which nothing can be decided; `null`: decisions are possible. */
  readonly report: ReportChoice | null;
};

/** Width of texts in columns. */
const WIDTH = 100;
/** Width of a panel in columns, as a phone shows it. */
const PANEL_WIDTH = 44;
/** Milliseconds between two states of a report, because a report takes long to make. */
const REPORT_APART_MS = 30_000;
/** Milliseconds that the first list of repositories waits until they are read. */
const PATIENCE_MS = 1500;

type Repository = PageRepository & {
  readonly reader: RepositoryReader;
  readonly memo: ReturnType<typeof newMemo>;
  readonly fleet: ReturnType<typeof openFleetView>;
  /** Actions are carried out one after another, so that the second of two browser tabs sees what the first one did. */
  readonly inTurn: ReturnType<typeof oneByOne>;
};

/** Returns the site that `ralph page` serves. */
export function pageSite({ folders, report }: SiteOptions): Site {
  const known = new Map<string, Repository>();
  const offers = openOffers();
  const isReadOnly = report !== null;

  function repositories(): Repository[] {
    return [...new Set(folders())].map((dir) => {
      const one = pageRepository(dir);
      const found = known.get(one.id) ?? opened(one);
      known.set(one.id, found);
      return found;
    });
  }

  function at(path: string): { readonly repository: Repository; readonly rest: string } | null {
    const [, id = '', rest] = /^\/r\/([0-9a-f]{16})\/([a-z]*)$/.exec(path) ?? [];
    const repository = known.get(id) ?? repositories().find((one) => one.id === id);
    return repository === undefined || rest === undefined ? null : { repository, rest };
  }

  const hasOthers = () => repositories().length > 1;

  function contentOf(repository: Repository, asked: Asked): PageContent {
    const { data, problem } = repository.reader.latest();
    if (data === null) return problemPage(repository, problem);
    const place = placeOf(repository, data);
    return livePage({
      repository,
      data,
      isReadOnly,
      hasOthers: hasOthers(),
      offers: (row: Row | null, names) => (isReadOnly ? [] : offers.ofKeys(place, asked.session, row, names)),
    });
  }

  const home = () =>
    homePage(repositories().map((repository) => ({ repository, read: repository.reader.latest() })));

  function page(asked: Asked, content: PageContent, follow: string | null, status = 200): Reply {
    const { notice } = asked.session;
    asked.session.notice = null;
    return { status, html: htmlPage(content, { follow, notice }) };
  }

  async function reported(repository: Repository, render: (content: PageContent) => string) {
    const chosen = report ?? { run: null, since: null };
    const made = await wholeReport({ ...inputOf(repository), ...chosen, read: false }, repository.memo);
    if (!made.ok) return { content: problemPage(repository, made.message), html: null };
    return fitted(made.data, await repository.fleet(), (content) =>
      render(servedReport(repository, content)),
    );
  }

  async function show(asked: Asked): Promise<Reply | null> {
    if (asked.path === '/') {
      const all = repositories();
      const [only] = all;
      if (only !== undefined && all.length === 1)
        return { status: 303, location: pathOf(only, isReadOnly ? 'report' : '') };
      await Promise.race([readInTurn(all, () => false), patience()]);
      return page(asked, home(), '/');
    }
    const found = at(asked.path);
    if (found === null) return null;
    const { repository, rest } = found;
    switch (rest) {
      case '':
        await repository.reader.read();
        return page(asked, contentOf(repository, asked), pathOf(repository));
      case 'report': {
        const served = { follow: pathOf(repository, 'report'), notice: null };
        const { content, html } = await reported(repository, (content) => htmlPage(content, served));
        return { status: html === null ? 503 : 200, html: html ?? htmlPage(content, served) };
      }
      case 'show':
        return showText(asked, repository);
      case 'choose':
        return showChoice(asked, repository, asked.query.get('about') ?? '');
      case 'do':
        return page(asked, problemPage(repository, 'Actions are sent by forms.'), null, 405);
      default:
        return null;
    }
  }

  /**
   * Shows the output of a command that only reads. A name that isn't a task's or request's id isn't passed to any
   * command.
   */
  async function showText(asked: Asked, repository: Repository): Promise<Reply | null> {
    const [what, about = ''] = [asked.query.get('what'), asked.query.get('about') ?? undefined];
    const { data } = await repository.reader.read();
    const row = data === null ? undefined : rowsOf({ data }).find(({ id }) => id === about);
    const text = (effect: CommandEffect, title: string, command: string, isPatch = false) =>
      shown(asked, repository, effect, { title, command, isPatch });
    if (what === 'option') {
      const view = await choices(repository, about);
      const option = view?.options.find(({ key }) => key === asked.query.get('option'));
      if (option?.effect.do !== 'decide' || !option.effect.shows) return null;
      const name = option.effect.option;
      return text(
        option.effect,
        `${about}: ${name}`,
        `ralph approvals decide ${about} ${name}`,
        name === 'diff',
      );
    }
    if (row === undefined) return null;
    const id = shellQuote(about);
    switch (what) {
      case 'logs': {
        const iteration = row.attempt?.iteration ?? row.task.tries.at(-1)?.iteration;
        const which = iteration === undefined ? about : String(iteration);
        return text({ do: 'logs', which }, `Log of ${about}`, `ralph logs ${shellQuote(which)}`);
      }
      case 'diff':
        return text({ do: 'diff', which: about }, `Changes of ${about}`, `ralph diff ${id}`, true);
      case 'explain':
        return text({ do: 'explain', task: about }, `About ${about}`, `ralph explain ${id}`);
      default:
        return null;
    }
  }

  async function shown(
    asked: Asked,
    repository: Repository,
    effect: CommandEffect,
    place: { readonly title: string; readonly command: string; readonly isPatch: boolean },
  ): Promise<Reply> {
    const outcome = await act(effect, inputOf(repository));
    const text = outcome.kind === 'message' ? outcome.text : textOf(outcome.view, WIDTH);
    const isThere = outcome.kind === 'view' || outcome.ok;
    return page(asked, textPage({ repository, ...place, text }), null, isThere ? 200 : 404);
  }

  /** Returns the options of a request or incident; `null`: it isn't open. */
  async function choices(repository: Repository, about: string) {
    const effect: CommandEffect = about.startsWith('INC-')
      ? { do: 'incident', incident: about }
      : { do: 'gate', request: about };
    const outcome = await act(effect, inputOf(repository));
    return outcome.kind === 'view' && outcome.view.kind === 'choice' ? outcome.view : null;
  }

  async function showChoice(asked: Asked, repository: Repository, about: string): Promise<Reply | null> {
    const { data } = await repository.reader.read();
    const view = data === null ? null : await choices(repository, about);
    if (data === null || view === null) return null;
    const { title, options } = view;
    return page(
      asked,
      choicePage({
        repository,
        title,
        about: await aboutPart(repository, about, view),
        offers: isReadOnly ? [] : offers.ofChoice(placeOf(repository, data), asked.session, about, options),
        shows: options.flatMap(({ key, effect }) => {
          if (effect.do !== 'decide' || !effect.shows) return [];
          const query = new URLSearchParams({ what: 'option', about, option: key });
          return [{ label: capitalized(effect.option), path: pathOf(repository, `show?${query}`) }];
        }),
        signing: signingOf(data, about, options),
      }),
      null,
    );
  }

  // ---------- Actions

  function carryOut(asked: Asked, form: URLSearchParams): Promise<Reply | null> | null {
    const found = at(asked.path);
    if (found === null || found.rest !== 'do') return null;
    const { repository } = found;
    return repository.inTurn(() => decide(asked, repository, form));
  }

  async function decide(asked: Asked, repository: Repository, form: URLSearchParams): Promise<Reply> {
    const { data, problem } = await repository.reader.read();
    if (data === null) return page(asked, problemPage(repository, problem), null, 409);
    const refuse = (status: number, text: string) => {
      asked.session.notice = { ok: false, text };
      return page(asked, contentOf(repository, asked), pathOf(repository), status);
    };
    const about = form.get('about') ?? '';
    const options = form.get('do') === 'decide' ? ((await choices(repository, about))?.options ?? []) : null;
    const signing = options === null ? null : signingOf(data, about, options);
    if (signing !== null) return refuse(403, `${about} needs your signature. Run: ${signing[0]}`);
    const result = offers.accepted(placeOf(repository, data), asked.session, form, options);
    if (result.kind === 'refused') return refuse(result.status, result.text);
    const outcome = await performed(result.effect, repository);
    await repository.reader.read();
    if (outcome.kind === 'view') return refuse(409, 'This only shows something. Nothing was changed.');
    if (!outcome.ok) return refuse(409, outcome.text);
    offers.use(repository, form);
    asked.session.notice = outcome;
    return { status: 303, location: pathOf(repository) };
  }

  // ---------- Pages that renew themselves

  function follow(asked: Asked, renew: () => void) {
    const live = (content: () => PageContent) => async () => JSON.stringify(liveContent(content()));
    if (asked.path === '/') {
      const stops: (() => void)[] = [];
      let isOver = false;
      const all = repositories();
      // Repositories that were read are shown while others are still being read.
      const early = setInterval(renew, 1000);
      void readInTurn(all, () => isOver).then(() => {
        clearInterval(early);
        if (!isOver) stops.push(...all.map(({ reader }) => reader.follow(renew)));
      });
      return {
        make: live(home),
        stop: () => {
          isOver = true;
          clearInterval(early);
          for (const stop of stops) stop();
        },
      };
    }
    const found = at(asked.path);
    if (found === null) return null;
    const { repository, rest } = found;
    if (rest === '')
      return { make: live(() => contentOf(repository, asked)), stop: repository.reader.follow(renew) };
    if (rest !== 'report') return null;
    return {
      make: async () => {
        const { content, html } = await reported(repository, liveContent);
        return JSON.stringify(html ?? liveContent(content));
      },
      stop: repository.reader.follow(renew),
      apartMs: REPORT_APART_MS,
    };
  }

  return {
    policy: POLICY_OF_SERVER,
    enter: (problem) => htmlPage(enterPage(problem), { follow: null, notice: null }),
    show,
    act: isReadOnly ? null : async (asked, form) => carryOut(asked, form),
    follow,
    refuse: (connection) => refuseAgent(connection, repositories()),
  };
}

function opened(one: PageRepository): Repository {
  const input = inputOf(one);
  return {
    ...one,
    reader: openReader(one.dir),
    memo: newMemo(),
    fleet: openFleetView(input),
    inTurn: oneByOne(),
  };
}

function inputOf({ dir }: PageRepository) {
  return { cwd: dir, onNotice: () => undefined };
}

function placeOf({ id, dir }: PageRepository, data: Place['data']): Place {
  return { id, dir, data };
}

/** Reads repositories that weren't read yet, one after another. */
async function readInTurn(all: readonly Repository[], isOver: () => boolean): Promise<void> {
  for (const { reader } of all) {
    const { data, problem } = reader.latest();
    if (isOver()) return;
    if (data === null && problem === null) await reader.read();
  }
}

function patience(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS).unref();
  });
}

/** Runs the command of an action, if it may be decided from the page. */
async function performed(effect: Effect, repository: PageRepository): Promise<Outcome> {
  try {
    const refused = await refusalOf(effect, repository.dir);
    return refused ?? (await act(effect as CommandEffect, inputOf(repository)));
  } catch (error) {
    return { kind: 'message', ok: false, text: error instanceof Error ? error.message : String(error) };
  }
}

async function aboutPart(repository: PageRepository, about: string, view: View): Promise<Part> {
  const gate = await gateAt({ ...inputOf(repository), id: about });
  return gate.ok ? sectionsPart(gate.data.sections) : textPart(textOf(view, PANEL_WIDTH));
}

function textOf(view: View, width: number): string {
  if (view.kind !== 'text' && view.kind !== 'choice') return '';
  return withoutEscapes(view.render(terminalWith({ live: false, color: false, width, piped: false })));
}

/** Returns the commands that sign a decision; `null`: it needs no signature. */
function signingOf(
  { requests }: Place['data'],
  about: string,
  options: readonly ChoiceOption[],
): readonly string[] | null {
  if (requests.find(({ id }) => id === about)?.signed !== true) return null;
  return options.flatMap(({ effect, asks }) => {
    if (effect.do !== 'decide' || effect.shows) return [];
    const words = asks === null || asks.optional ? '' : ` --${asks.into} "…"`;
    return [`ralph approvals decide ${about} ${effect.option}${words}`];
  });
}
