import { h } from 'preact';
import { counted } from 'ralph-kit/counted';
import { camelKeys } from 'ralph-kit/snake-keys';
import { capitalized } from 'ralph-kit/text';
import type { PageRepository } from '../../app/commands/page/repositories.ts';
import type { Watched } from '../../app/commands/watch.ts';
import { VERSION } from '../../app/version.ts';
import type { RunReport } from '../../domain/run-report.ts';
import { lastLine, printable } from '../../io/ui/index.ts';
import {
  clock,
  countsBelow,
  factsText,
  lastAttemptText,
  moneyText,
  needItems,
  short,
  treeText,
  unavailableText,
  withLocalTimes,
} from '../../tell/index.ts';
import { type FilterState, filtered, filterPart } from '../render/page/filter.ts';
import type { PageContent } from '../render/page/html.ts';
import { type Link, type Needs, needParts, nextPart } from '../render/page/need-parts.ts';
import {
  blockName,
  clip,
  clipped,
  code,
  list,
  name,
  type Part,
  section,
  sign,
  type Tone,
} from '../render/page/parts.ts';
import { type Group, type Row, rowsOf, runState } from '../screen/tasks.ts';
import { formsPart } from './form-parts.ts';
import { OF_NEED, OF_RUN, OF_TASK, OF_TASKS, type Offer } from './offers.ts';

/** Maximum number of cards, and of tasks in one card. */
const MOST_CARDS = 100;
const MOST_TASKS = 1000;
/** Maximum number of characters of a text, so that an agent's words can't fill the page. */
const MOST_CHARS = 2000;

type Names = typeof OF_RUN;

export type LiveRepository = {
  readonly repository: PageRepository;
  readonly data: Watched;
  /** Whether other repositories are on the page. */
  readonly hasOthers: boolean;
  /** Returns the actions that are possible now; none on a read-only page. */
  readonly offers: (row: Row | null, names: Names) => readonly Offer[];
  readonly isReadOnly: boolean;
};

export function pathOf({ id }: PageRepository, rest = ''): string {
  return `/r/${id}/${rest}`;
}

/** Returns the page of a repository, which shows what the screen shows, with forms in place of the screen's keys. */
export function livePage(given: LiveRepository): PageContent {
  const { repository } = given;
  const data = clipped(printable(given.data), MOST_CHARS);
  const live = { ...given, data };
  const rows = rowsOf({ data });
  const shown = new Map(rows.slice(0, MOST_TASKS).map((row) => [row.id, row]));
  const link: Link = (id) =>
    shown.has(id) ? h('a', { href: `#${blockName('task', id)}` }, name(id, 80)) : name(id, 80);
  const needs = needsOf(data);
  return {
    title: clip(repository.name, 80),
    head: headPart(live, needs, rows),
    sections: [
      ...section('needs-you', 'Needs you', needParts(needs, link, MOST_CARDS, cardActions(live, shown))),
      ...section(
        'running',
        'Running',
        data.attempts.map((one) => attemptPart(one, data.attempts.length > 1)),
      ),
      ...section('tasks', 'Tasks', taskParts(live, rows, needs)),
      ...section('last-run', data.status.running === null ? 'The last run' : 'This run', runParts(live)),
    ],
    foot: [name(repository.dir), ` · ralph ${VERSION}`],
  };
}

function needsOf({ status, report, requests, incidents }: Watched): Needs {
  const asked = new Set([...requests, ...incidents].map(({ task_id }) => task_id));
  const unfinished = status.unfinished.filter(({ id }) => !asked.has(id));
  const of = camelKeys({ ...status, unfinished }) as Pick<RunReport, 'unfinished' | 'notCommitted'>;
  const ended = report === null ? null : (camelKeys(report) as RunReport);
  return {
    requests,
    incidents: incidents.map(({ id, task_id, summary }) => ({ id, task_id, why: summary })),
    items: needItems({
      ...of,
      push: ended?.push ?? null,
      signInsKept: ended?.signInsKept ?? [],
      builtAnew: ended?.builtAnew ?? null,
    }),
  };
}

function headPart(live: LiveRepository, needs: Needs, rows: readonly Row[]): Part {
  const { data, repository, hasOthers, offers, isReadOnly } = live;
  const { status, run } = data;
  const you = rows.filter(({ group }) => group === 'you').length;
  const mood =
    you > 0
      ? 'wait'
      : status.running !== null
        ? 'part'
        : status.tasks.done === status.tasks.total
          ? 'good'
          : 'none';
  const money = run === null ? null : moneyText({ costUsd: run.cost_usd, estimatedUsd: run.estimated_usd });
  const facts = [
    run === null ? [] : [['for ', since(run.started_at)]],
    run?.agent ?? [],
    money ?? [],
    run === null || run.tokens === 0 ? [] : `${short(run.tokens)} tokens`,
  ].flat();
  const state = withLocalTimes(runState(data), new Date());
  return [
    hasOthers ? h('p', { class: 'small' }, h('a', { href: '/' }, '← All repositories')) : null,
    h('p', { class: 'verdict' }, sign(mood), status.counts),
    h('p', null, h('strong', null, capitalized(state)), ...facts.flatMap((fact) => [' · ', fact]), '.'),
    ...status.unavailable.map(({ agent, ...unavailable }) =>
      h(
        'p',
        { class: 'wait' },
        sign('wait'),
        withLocalTimes(unavailableText(agent, unavailable), new Date()),
      ),
    ),
    nextPart(status.commands, needs),
    formsPart(offers(null, OF_RUN), pathOf(repository, 'do')),
    isReadOnly
      ? h('p', { class: 'small faint' }, 'This page is read-only. To decide: ', code('ralph page'))
      : null,
  ];
}

/** Returns a time, which the page's script shows as the time that has passed since. */
function since(time: string): Part {
  return h('time', { class: 'since time', dateTime: time }, withLocalTimes(time, new Date()));
}

function cardActions(live: LiveRepository, rows: ReadonlyMap<string, Row>) {
  const { repository, data, offers, isReadOnly } = live;
  const choose = (id: string): Part =>
    isReadOnly
      ? null
      : h(
          'p',
          { class: 'acts' },
          h(
            'a',
            { class: 'button main', href: pathOf(repository, `choose?about=${encodeURIComponent(id)}`) },
            'Look and decide',
          ),
        );
  return {
    request: (id: string): Part => {
      const isSigned = data.requests.find((one) => one.id === id)?.signed === true;
      const signed = isSigned ? h('p', null, 'It needs your signature, which this command makes:') : null;
      return isSigned && isReadOnly ? signed : [isSigned ? look(live, id) : choose(id), signed];
    },
    incident: choose,
    task: (id: string, isOneOfMany: boolean): Part => {
      const row = rows.get(id);
      if (row === undefined) return null;
      const all = offers(row, OF_NEED);
      const forms = formsPart(all, pathOf(repository, 'do'), all[0]?.name === 'answer');
      return isOneOfMany && forms !== null ? [h('p', { class: 'small' }, name(id, 80), ':'), forms] : forms;
    },
  };
}

function look({ repository }: LiveRepository, id: string): Part {
  const href = pathOf(repository, `choose?about=${encodeURIComponent(id)}`);
  return h('p', { class: 'acts' }, h('a', { class: 'button', href }, 'Read it'));
}

function attemptPart(attempt: Watched['attempts'][number], isOneOfMany: boolean): Part {
  const { task_id: id, title, agent, worker, iteration, phase, started_at, timeout_seconds, calls } = attempt;
  const words = lastLine(attempt.words ?? '');
  const times = attempt.attempt > 1 ? ` · attempt ${attempt.attempt} of ${attempt.max_attempts}` : '';
  return h(
    'div',
    { class: 'card', 'data-key': blockName('run', String(iteration)) },
    h(
      'p',
      null,
      sign('part'),
      h('strong', null, h('a', { href: `#${blockName('task', id)}` }, name(id, 80)), ' ', name(title)),
    ),
    h(
      'p',
      { class: 'faint small' },
      isOneOfMany ? `worker ${worker} · ` : '',
      `${agent}${times} · `,
      phase === null ? since(started_at) : [`${phase.words} `, since(phase.since)],
      phase === null ? ` of ${clock(timeout_seconds * 1000)}` : '',
      calls < 2 ? '' : ` · ${counted(calls, 'call')}`,
    ),
    words === null ? null : h('p', null, `“${clip(words, 300)}”`),
    ...attempt.found.slice(0, 3).map((text) => h('p', { class: 'wait' }, sign('wait'), text)),
    list(
      attempt.last_calls
        .toReversed()
        .map(({ action, ok }) => [code(clip(action, 300)), ok === false ? ' failed' : '']),
      CALLS,
      'plain small',
    ),
  );
}

const CALLS = 3;

// ---------- The tasks

const TONES: Readonly<Record<Group, Tone>> = {
  you: 'wait',
  running: 'part',
  next: 'none',
  waiting: 'none',
  done: 'good',
};

function filterOf({ group }: Row): FilterState {
  return group === 'next' || group === 'waiting' ? 'open' : group;
}

function taskParts(live: LiveRepository, rows: readonly Row[], { items }: Needs): Part[] {
  const inCards = new Set(items.flatMap(({ tasks }) => tasks.map(({ id }) => id)));
  const shown = rows.slice(0, MOST_TASKS);
  const left = rows.length - shown.length;
  return [
    filterPart(shown.map(filterOf)),
    ...shown.map((row) => taskPart(live, row, inCards.has(row.id))),
    formsPart(live.offers(null, OF_TASKS), pathOf(live.repository, 'do')),
    left > 0 ? h('p', null, `and ${counted(left, 'more task')}: `, code('ralph tasks')) : null,
  ];
}

/**
 * Returns a task that can be unfolded. @param isInCard Whether a card above it already says why it isn't done, and
 * offers the actions.
 */
function taskPart({ repository, offers }: LiveRepository, row: Row, isInCard: boolean): Part {
  const { id, title, state, why, task, attempt, request, incident } = row;
  const last = task.tries.at(-1);
  const isAbove = isInCard || request !== null || incident !== null;
  const names = isAbove
    ? OF_TASK.filter((one) => !OF_NEED.includes(one))
    : [...OF_NEED.filter((one) => one !== 'guide'), ...OF_TASK];
  const tried = attempt !== null || task.tried;
  const shows = (what: string, text: string) =>
    h(
      'a',
      { class: 'button', href: pathOf(repository, `show?what=${what}&about=${encodeURIComponent(id)}`) },
      text,
    );
  const anchor = blockName('task', id);
  return h(
    'details',
    { class: filtered(filterOf(row)), id: anchor, 'data-key': anchor },
    h(
      'summary',
      null,
      sign(row.state === 'blocked' ? 'bad' : TONES[row.group]),
      h('h3', null, name(id, 80), ' ', name(title)),
      h(
        'span',
        { class: 'facts' },
        state,
        task.tries.length > 1 ? ` · ${counted(task.tries.length, 'attempt')}` : '',
      ),
    ),
    h(
      'div',
      null,
      why === null || isAbove ? null : h('p', null, why),
      last === undefined || last.cause === why || isAbove
        ? null
        : h('p', null, lastAttemptText(last, new Date())),
      task.acceptance.length === 0 ? null : list(task.acceptance, 40),
      task.waits_for.length === 0 ? null : h('p', null, `Waits for ${task.waits_for.join(', ')}.`),
      h(
        'div',
        { class: 'acts' },
        ...(tried ? [shows('logs', 'Log'), shows('diff', 'Changes')] : []),
        shows('explain', 'All about it'),
      ),
      formsPart(offers(row, names), pathOf(repository, 'do')),
    ),
  );
}

// ---------- The run

function runParts({ data, repository }: LiveRepository): Part[] {
  const { report } = data;
  if (report === null) return [];
  const run = camelKeys(report) as RunReport;
  const tone = ({ green: 'good', red: 'bad', unknown: 'none' } as const)[run.tree.state];
  const isOver = data.status.running === null;
  return [
    isOver && countsBelow({ headline: run.headline, counts: data.status.counts }).length > 0
      ? h('p', null, withLocalTimes(run.headline, new Date()))
      : null,
    isOver ? h('p', { class: `tree ${tone}` }, sign(tone), treeText(run)) : null,
    h('p', { class: 'faint small' }, factsText(run, new Date())),
    run.liesCaught === 0 ? null : h('p', null, `${counted(run.liesCaught, 'false claim')} caught.`),
    h(
      'p',
      { class: 'acts' },
      h('a', { class: 'button', href: pathOf(repository, 'report') }, 'The whole report'),
    ),
  ];
}
