import { Fragment, h } from 'preact';
import type { FleetView } from '../../../app/commands/fleet/view.ts';
import type { WholeReport } from '../../../app/commands/report-page.ts';
import { VERSION } from '../../../app/version.ts';
import { GATE_TITLES } from '../../../domain/human/gate.ts';
import type { InterventionType } from '../../../domain/intervention.ts';
import { ANSWER_WORD, type Item, needItems } from '../../../domain/report-items.ts';
import type { RunReport } from '../../../domain/run-report.ts';
import { workText } from '../../../domain/work-place.ts';
import {
  dateTime,
  detailTexts,
  factsText,
  localTimeNow,
  moneyText,
  printable,
  spentText,
  treeText,
  VERDICT_WORD,
  withLocalTimes,
} from '../../../io/ui/index.ts';
import { counted, grouped } from '../../../lib/counted.ts';
import { formatDuration } from '../../../lib/duration.ts';
import { camelKeys } from '../../../lib/snake-keys.ts';
import { asSentence, firstFew } from '../../../lib/text.ts';
import { coordinatorText, waitingTexts } from '../fleet-text.ts';
import { words } from '../words.ts';
import { toneOf } from './attempt-tone.ts';
import { type Bar, bar, stepChart, timeline, timelineKey } from './charts.ts';
import { htmlPage } from './html.ts';
import {
  clip,
  clipped,
  code,
  commands,
  excerpt,
  lengthOf,
  list,
  more,
  name,
  type Part,
  type Size,
  section,
  sign,
  table,
} from './parts.ts';
import { storiesOf, type TaskStory, taskPart } from './task-story.ts';

/** Bytes that a page may have. */
const MOST_BYTES = 2_000_000;

/** The first with which a page without patches stays below that; the last is that small. */
const SIZES: readonly Size[] = [
  { chars: 2000, entries: 40, cards: 200, rows: 5000, patches: 0 },
  { chars: 600, entries: 20, cards: 200, rows: 5000, patches: 0 },
  { chars: 300, entries: 10, cards: 100, rows: 5000, patches: 0 },
  { chars: 200, entries: 5, cards: 50, rows: 2000, patches: 0 },
  { chars: 100, entries: 3, cards: 20, rows: 1000, patches: 0 },
  { chars: 60, entries: 1, cards: 10, rows: 150, patches: 0 },
];

/** With the fleet as it is now; `null`: there is none, or the page is a file. */
type Whole = WholeReport & { readonly fleet: FleetView | null };

/** How a page that is served renews itself; `null`: it is a file. */
export type Renewal = { readonly on: boolean } | null;

/** `ralph report --html`: the report of runs with all that is behind it, in one file that loads nothing and needs no scripts. */
export function reportPage(
  given: WholeReport,
  renewal: Renewal = null,
  fleet: FleetView | null = null,
): string {
  const whole = printable({ ...given, fleet });
  const last = SIZES.at(-1);
  for (const size of SIZES) {
    if (size !== last && lengthOf(whole, size.chars) > MOST_BYTES * 3) continue;
    const page = pageOf(whole, size, renewal);
    const left = MOST_BYTES - Buffer.byteLength(page);
    if (left < 0 && size !== last) continue;
    // Patches take what room there is.
    for (let patches = left; patches > LEAST_PATCHES; patches = Math.floor(patches / 2)) {
      const full = pageOf(whole, { ...size, patches }, renewal);
      if (Buffer.byteLength(full) <= MOST_BYTES) return full;
    }
    return page;
  }
  return '';
}

/** With less room for them there are none. */
const LEAST_PATCHES = 10_000;

function pageOf(whole: Whole, size: Size, renewal: Renewal): string {
  const data = clipped(whole, size.chars);
  const report = camelKeys(data.report) as RunReport;
  const stories = storiesOf(data, report);
  const anchors = new Map(stories.slice(0, size.rows).map(({ id }, at) => [id, `task-${at + 1}`]));
  const link = (id: string): Part => {
    const anchor = anchors.get(id);
    return anchor === undefined ? name(id, 80) : h('a', { href: `#${anchor}` }, name(id, 80));
  };
  const isCut = size.chars !== SIZES[0]?.chars;
  return htmlPage({
    title: `ralph report: ${clip(data.project, 80)}`,
    head: headPart(report, renewal),
    sections: [
      ...section('needs-you', 'Needs you', needParts(report, data, link, size)),
      ...section('fleet', 'Fleet', fleetParts(data, size)),
      ...section('runs', 'Runs', runParts(data)),
      ...section('timeline', 'Timeline', timelineParts(data, size)),
      ...section('tasks', 'Tasks', taskParts(stories, anchors, data, size)),
      ...section('spend', 'Time and spend', spendParts(report, data, link)),
      ...section('rulings', 'Review of actions', rulingParts(report, data, size)),
      ...section('decisions', 'Decisions', decisionParts(data, link)),
      ...section('interventions', 'Interventions', interventionParts(data, size)),
      ...section('details', 'Details', [list(detailTexts(report).map(({ text }) => text))]),
    ],
    foot: h(
      Fragment,
      null,
      `ralph ${VERSION}, ${dateTime(data.made_at)}. Times are those of ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`,
      isCut
        ? ' Long texts, lists and patches are cut, so that the page stays below 2 MB: ralph logs and ralph diff have them.'
        : '',
    ),
  });
}

function headPart(report: RunReport, renewal: Renewal): Part {
  const now = new Date();
  const { tree, durationMs, spent, tasks, liesCaught, perVerifiedTask: each } = report;
  const tone = ({ green: 'good', red: 'bad', unknown: 'none' } as const)[tree.state];
  const mood = report.ending === 'all_done' ? 'good' : report.ending === null ? 'part' : 'wait';
  const money = moneyText(spent);
  const figures: readonly (readonly [string, string])[] = [
    ['done', `${tasks.done} of ${tasks.total}`],
    ['verified in this report', String(report.doneInRun.length)],
    ['time', formatDuration(durationMs)],
    money === null ? ['tokens', grouped(spent.tokens)] : ['spend', money],
    ...(each === null ? [] : [['time for a verified task', formatDuration(each.durationMs)] as const]),
    ['false claims caught', String(liesCaught)],
  ];
  return h(
    Fragment,
    null,
    h('p', { class: 'verdict' }, sign(mood), withLocalTimes(report.headline, now)),
    report.headline.includes(report.counts) ? null : h('p', null, report.counts),
    h('p', { class: `tree ${tone}` }, sign(tone), treeText(report)),
    h(
      'dl',
      { class: 'figures' },
      ...figures.map(([term, value]) => h('div', null, h('dt', null, term), h('dd', null, value))),
    ),
    h('p', { class: 'faint small' }, factsText(report, now)),
    renewal === null ? null : renewalPart(renewal),
    report.next.length === 0
      ? null
      : h('p', { class: 'commands' }, h('span', null, 'Next:'), ...report.next.map(code)),
  );
}

/** Relative, so that the token stands in no page. */
function renewalPart({ on }: NonNullable<Renewal>): Part {
  const [text, href, action] = on
    ? ['This page renews itself every 30 seconds. ', 'still', 'Stop that']
    : ["This page doesn't renew itself. ", './', 'Renew it every 30 seconds'];
  return h('p', { class: 'faint small' }, text, h('a', { href }, action));
}

type Link = (id: string) => Part;

function needParts(report: RunReport, { human }: WholeReport, link: Link, { cards }: Size): Part[] {
  const asked = new Set(human.open.map(({ task_id }) => task_id));
  const card = (...content: Part[]) => h('div', { class: 'card needs' }, ...content);
  const unfinished = report.unfinished.filter(({ id, status }) => status !== 'parked' || !asked.has(id));
  const items = needItems({ ...report, unfinished });
  return [
    ...human.open
      .slice(0, cards)
      .map(({ id, gate, task_id, why, at, deadline, action }) =>
        card(
          h(
            'p',
            null,
            sign('wait'),
            h('strong', null, link(task_id), ' ', name(id)),
            ` waits for your decision (${GATE_TITLES[gate]}): ${asSentence(why)}`,
          ),
          action === null ? null : h('p', null, code(action)),
          h(
            'p',
            { class: 'faint small' },
            `Since ${localTimeNow(at)}${deadline === null ? '' : `, until ${localTimeNow(deadline)}`}.`,
          ),
          commands([`ralph approvals decide ${id}`, `ralph approvals show ${id}`]),
        ),
      ),
    ...human.incidents.map(({ id, task_id, why, command }) =>
      card(
        h(
          'p',
          null,
          sign('bad'),
          h('strong', null, task_id === null ? name(id) : link(task_id), ' ', name(id)),
          ` ${asSentence(why)}`,
        ),
        commands([command]),
      ),
    ),
    ...items.slice(0, cards).map((item) => card(...itemPart(item, link, cards))),
    more(items.length - cards, 'more cause', 'ralph tasks'),
  ];
}

/** A cause with its tasks, their work, and the commands that help. */
function itemPart(
  { mark, tasks, cause, excerpt: lines, steps, work, commands: given }: Item,
  link: Link,
  most: number,
): Part[] {
  const heads = tasks
    .slice(0, most)
    .map(({ id, title }) =>
      h('p', null, sign(mark === 'blocked' ? 'bad' : 'wait'), h('strong', null, link(id), ' ', name(title))),
    );
  const why = withLocalTimes(cause, new Date());
  return [
    ...heads,
    more(tasks.length - heads.length, 'more task', 'ralph tasks'),
    heads.length === 0 ? h('p', null, sign('wait'), why) : h('p', null, why),
    excerpt(lines),
    steps.length === 0 ? null : h('ol', null, ...steps.map((step) => h('li', null, step))),
    ...work
      .slice(0, most)
      .flatMap((place) =>
        place.kind === 'none' ? [] : [h('p', null, workText({ ...place, command: '' }), code(place.command))],
      ),
    commands(given.slice(0, most)),
  ];
}

/** Who works at what, and what waits for whom. */
function fleetParts({ fleet }: Whole, { rows: most }: Size): Part[] {
  if (fleet === null) return [];
  if (fleet.status === null) return [h('p', null, sign('wait'), fleet.problem)];
  const { status } = fleet;
  const now = new Date();
  const local = (time: string | null) => (time === null ? '' : withLocalTimes(time, now));
  const rows = status.workers
    .slice(0, most)
    .map(({ host, state, task, agents, labels, began, since, ...one }) => [
      ...[name(one.name), name(host), state, name(task ?? ''), local(began), local(since)],
      ...[name(agents.join(', ')), name(labels.join(', '))],
    ]);
  const head = ['worker', 'host', 'state', 'task', 'since', 'seen', 'agents', 'labels'];
  const waiting = waitingTexts(status).map((text) => h(Fragment, null, sign('wait'), text));
  return [
    h('p', null, coordinatorText(status)),
    status.paused ? h('p', null, sign('wait'), 'Paused: ', code('ralph fleet resume')) : null,
    rows.length === 0 ? h('p', null, 'No worker is up.') : table('Workers of the fleet', head, rows),
    more(status.workers.length - rows.length, 'more worker', 'ralph fleet status'),
    list(waiting, most, 'plain'),
  ];
}

/** One run is in the head. */
function runParts({ runs }: WholeReport): Part[] {
  if (runs.length < 2) return [];
  const rows = runs.map(({ run, started_at, duration_ms, iterations, done, blocked, ending }) => [
    ...[run, dateTime(started_at), formatDuration(duration_ms), String(iterations)],
    ...[String(done.length), String(blocked.length), ending === null ? 'active' : words(ending)],
  ]);
  return [table('Runs', ['run', 'started', 'took', 'iterations', 'done', 'blocked', 'ended'], rows)];
}

function timelineParts({ attempts, runs, gone, made_at }: WholeReport, { rows }: Size): Part[] {
  const now = new Date(made_at);
  const shown = attempts.slice(-rows);
  const charts = runs.map(({ run, started_at }) => {
    const bars = shown.filter((one) => one.run === run).flatMap((one) => barOf(one, now));
    return timeline(bars, `${run}, from ${dateTime(started_at)}`);
  });
  if (charts.every((chart) => chart === null)) return [];
  const left = attempts.length - shown.length;
  const note = [
    ...(gone === 0 ? [] : [`The files of ${counted(gone, 'iteration')} were removed.`]),
    ...(left === 0 ? [] : [`${counted(left, 'earlier iteration')} aren't shown.`]),
  ];
  return [timelineKey(), ...charts, note.length === 0 ? null : h('p', { class: 'faint' }, note.join(' '))];
}

function barOf(attempt: WholeReport['attempts'][number], now: Date): Bar[] {
  const { started_at: at, duration_ms: ms, iteration, task_id: id, state, verdict, worker } = attempt;
  if (at === null) return [];
  const from = Date.parse(at);
  const to = ms === null ? (state === 'running' ? now.getTime() : from) : from + ms;
  const word = state === 'finished' && verdict !== null ? VERDICT_WORD[verdict] : words(state);
  return [
    {
      worker,
      from,
      to,
      tone: toneOf(attempt),
      title: `#${iteration} ${id ?? ''}: ${word}, ${formatDuration(to - from)}`,
    },
  ];
}

/** Of the newest tasks, as far as there is room. */
function patchesIn(stories: readonly TaskStory[], { patches }: Size): ReadonlySet<string> {
  let room = patches;
  const shown = stories.toReversed().filter(({ changes }) => {
    const length = changes?.patch.length ?? 0;
    if (length === 0 || length > room) return false;
    room -= length;
    return true;
  });
  return new Set(shown.map(({ id }) => id));
}

function taskParts(
  stories: readonly TaskStory[],
  anchors: ReadonlyMap<string, string>,
  { gone }: WholeReport,
  size: Size,
): Part[] {
  const left = stories.length - anchors.size;
  const shown = patchesIn(stories, size);
  return [
    gone === 0
      ? null
      : h(
          'p',
          { class: 'faint' },
          `Of ${counted(gone, 'attempt')} the files were removed: only the newest runs are kept.`,
        ),
    ...stories.flatMap((story) => {
      const anchor = anchors.get(story.id);
      return anchor === undefined ? [] : [taskPart(story, anchor, size, shown.has(story.id))];
    }),
    left > 0 ? h('p', null, `and ${counted(left, 'more task')}: `, code('ralph tasks')) : null,
  ];
}

/** Verified tasks that have a bar. */
const SLOWEST = 50;

function spendParts(report: RunReport, data: WholeReport, link: Link): Part[] {
  const { doneInRun } = report;
  const finished = data.attempts.flatMap(({ started_at: at, duration_ms: ms, verdict, spent }) =>
    at === null || ms === null ? [] : [{ end: Date.parse(at) + ms, from: Date.parse(at), verdict, spent }],
  );
  const range = [
    Math.min(...finished.map(({ from }) => from)),
    Math.max(...finished.map(({ end }) => end)),
  ] as const;
  const sums = (of: (one: (typeof finished)[number]) => number) => {
    let sum = 0;
    return finished
      .toSorted((one, other) => one.end - other.end)
      .flatMap((one) => {
        const more = of(one);
        sum += more;
        return more > 0 ? [[one.end, sum] as const] : [];
      });
  };
  const money = sums(({ spent }) => (spent === null ? 0 : spent.cost_usd + spent.estimated_usd));
  const tokens = sums(({ spent }) => spent?.tokens ?? 0);
  const charts = [
    stepChart(
      'Verified tasks',
      sums(({ verdict }) => Number(verdict === 'done')),
      range,
      String,
    ),
    money.length > 0
      ? stepChart('Spend', money, range, (usd) => `$${usd.toFixed(2)}`)
      : stepChart('Tokens', tokens, range, (sum) => grouped(Math.round(sum))),
  ].filter((chart) => chart !== null);
  const slowest = doneInRun.toSorted((one, other) => other.durationMs - one.durationMs);
  const shown = slowest
    .slice(0, SLOWEST)
    .map((task) => [
      link(task.id),
      h(Fragment, null, bar(task.durationMs, slowest[0]?.durationMs ?? 0), formatDuration(task.durationMs)),
      String(task.attempts),
      spentText(task.spent),
      task.grade,
    ]);
  const others = slowest.length - shown.length;
  return [
    charts.length === 0 ? null : h('div', { class: 'charts' }, ...charts),
    table('Verified tasks, the longest first', ['task', 'time', 'attempts', 'used', 'proof'], shown),
    others > 0
      ? h('p', null, `and ${counted(others, 'more task')}: what each took is in the list of tasks`)
      : null,
  ];
}

function rulingParts({ reviewSummary }: RunReport, { attempts }: WholeReport, { entries }: Size): Part[] {
  const { total, allowed, warned, modified, blocked } = reviewSummary;
  if (total === 0) return [];
  const denied = attempts.flatMap(({ iteration, task_id: task, denied: all }) =>
    all.map(({ action, rule, reason, severity }) => [
      `#${iteration}`,
      name(task ?? '', 80),
      code(action),
      rule,
      severity,
      reason,
    ]),
  );
  const shown = denied.slice(-entries * 3);
  return [
    h(
      'p',
      null,
      `${counted(total, 'action')} reviewed: ${grouped(allowed)} allowed, ${grouped(warned)} with a warning, ${grouped(modified)} changed, ${grouped(blocked)} blocked.`,
    ),
    table('Blocked actions', ['iteration', 'task', 'action', 'rule', 'severity', 'reason'], shown),
    shown.length < denied.length
      ? h(
          'p',
          null,
          `and ${denied.length - shown.length} earlier: `,
          code('ralph review log --decision block'),
        )
      : null,
  ];
}

function decisionParts({ human: { decided } }: WholeReport, link: Link): Part[] {
  const rows = decided.map(({ id, gate, task_id, at, option, reason, user }) => [
    ...[id, localTimeNow(at), link(task_id), GATE_TITLES[gate], words(option)],
    ...[user, reason],
  ]);
  return [table('Decisions', ['request', 'at', 'task', 'gate', 'decision', 'by', 'reason'], rows)];
}

function interventionParts({ interventions: { story, applied } }: WholeReport, { entries }: Size): Part[] {
  const rows = applied.map((one) => [
    ...[
      ANSWER_WORD[one.type as InterventionType] ?? words(one.type),
      String(one.applied),
      String(one.helped),
      String(one.not_helped),
    ],
    ...[String(one.no_further_attempt), String(one.open)],
  ]);
  const shown = story.slice(-entries * 3);
  const items = shown.map(({ at, iteration, task_id, agent, what, done, outcome, severity }) => {
    const tone = ({ critical: 'bad', warning: 'wait', info: 'none' } as const)[severity];
    const who = [task_id, agent].filter((one) => one !== null).join(' ');
    return h(
      Fragment,
      null,
      sign(tone),
      h('span', { class: 'faint small' }, `${localTimeNow(at)} #${iteration} `),
      `${who} ${what.replace(/[.]$/, '')}${done.length === 0 ? '' : ` → ${firstFew(done, 10)}`}`,
      outcome === null ? null : h(Fragment, null, '; ', h('strong', null, outcome)),
    );
  });
  return [
    table(
      'Interventions',
      ['the agent was', 'times', 'helped', "didn't help", 'no further attempt', 'not known yet'],
      rows,
    ),
    list(items, Number.POSITIVE_INFINITY, 'plain'),
    shown.length < story.length
      ? h('p', null, `and ${story.length - shown.length} earlier: `, code('ralph interventions'))
      : null,
  ];
}
