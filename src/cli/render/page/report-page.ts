import { h } from 'preact';
import { counted, grouped } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import { camelKeys } from 'ralph-kit/snake-keys';
import type { FleetView } from '../../../app/commands/fleet/view.ts';
import type { WholeReport } from '../../../app/commands/report-page.ts';
import { VERSION } from '../../../app/version.ts';
import { GATE_TITLES } from '../../../domain/human/gate.ts';
import type { InterventionType } from '../../../domain/intervention.ts';
import type { RunReport } from '../../../domain/run-report.ts';
import { printable } from '../../../io/ui/index.ts';
import {
  ANSWER_WORD,
  coordinatorText,
  countsBelow,
  dateTime,
  detailTexts,
  endingWord,
  factsText,
  localTime,
  needItems,
  stateWord,
  storyText,
  treeText,
  waitingTexts,
  withLocalTimes,
  words,
} from '../../../tell/index.ts';
import { toneOf } from './attempt-tone.ts';
import { type Bar, stepChart, timeline, timelineKey } from './charts.ts';
import { filterPart } from './filter.ts';
import { htmlPage, type PageContent } from './html.ts';
import { type Link, type Needs, needParts, nextPart } from './need-parts.ts';
import {
  clip,
  clipped,
  code,
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
import { filterStateOf, storiesOf, type TaskStory, taskPart } from './task-story.ts';

/** Maximum number of bytes of a page. */
const MOST_BYTES = 2_000_000;

/**
 * Sizes of a page that are tried, the largest first. The first one whose page without patches is below `MOST_BYTES` is
 * used. The last one always fits.
 */
const SIZES: readonly Size[] = [
  { chars: 2000, entries: 40, cards: 200, rows: 5000, patches: 0 },
  { chars: 600, entries: 20, cards: 200, rows: 5000, patches: 0 },
  { chars: 300, entries: 10, cards: 100, rows: 5000, patches: 0 },
  { chars: 200, entries: 5, cards: 50, rows: 2000, patches: 0 },
  { chars: 100, entries: 3, cards: 20, rows: 1000, patches: 0 },
  { chars: 60, entries: 1, cards: 10, rows: 150, patches: 0 },
];

/** The report with a fleet; `null`: there is no fleet, or the page is a file. */
type Whole = WholeReport & { readonly fleet: FleetView | null };

/** Returns the report of runs with all details as one file that loads nothing and needs no scripts. */
export function reportPage(given: WholeReport): string {
  return fitted(given, null, (content) => htmlPage(content)).html;
}

/** Returns the largest content of the report whose page stays below the bound, and the page. */
export function fitted(
  given: WholeReport,
  fleet: FleetView | null,
  render: (content: PageContent) => string,
): { readonly content: PageContent; readonly html: string } {
  const whole = printable({ ...given, fleet });
  const made = (size: Size) => {
    const content = contentOf(whole, size);
    return { content, html: render(content) };
  };
  const last = SIZES.at(-1);
  for (const size of SIZES) {
    if (size !== last && lengthOf(whole, size.chars) > MOST_BYTES * 3) continue;
    const page = made(size);
    const left = MOST_BYTES - Buffer.byteLength(page.html);
    if (left < 0 && size !== last) continue;
    // Patches get the space that is left.
    for (let patches = left; patches > LEAST_PATCHES; patches = Math.floor(patches / 2)) {
      const full = made({ ...size, patches });
      if (Buffer.byteLength(full.html) <= MOST_BYTES) return full;
    }
    return page;
  }
  throw new Error('the last size always fits');
}

/** Characters below which no patches are shown. */
const LEAST_PATCHES = 10_000;

function contentOf(whole: Whole, size: Size): PageContent {
  const data = clipped(whole, size.chars);
  const report = camelKeys(data.report) as RunReport;
  const stories = storiesOf(data, report);
  const anchors = new Map(stories.slice(0, size.rows).map(({ id }, at) => [id, `task-${at + 1}`]));
  const link = (id: string): Part => {
    const anchor = anchors.get(id);
    return anchor === undefined ? name(id, 80) : h('a', { href: `#${anchor}` }, name(id, 80));
  };
  const needs = needsOf(report, data);
  const isCut = size.chars !== SIZES[0]?.chars;
  return {
    title: `ralph report: ${clip(data.project, 80)}`,
    head: headPart(report, needs),
    sections: [
      ...section('needs-you', 'Needs you', needParts(needs, link, size.cards)),
      ...section('fleet', 'Fleet', fleetParts(data, size)),
      ...section('tasks', 'Tasks', taskParts(stories, anchors, data, size)),
      ...section('run', runTitle(data), [
        h('p', null, factsText(report, new Date())),
        list(detailTexts(report).map(({ text }) => text)),
        ...runParts(data),
      ]),
      ...section('timeline', 'Timeline', timelineParts(data, size)),
      ...section('spend', 'Progress and spend', spendParts(data)),
      ...section('rulings', 'Review of actions', rulingParts(report, data, size)),
      ...section('decisions', 'Decisions', decisionParts(data, link)),
      ...section('interventions', 'Interventions', interventionParts(data, size)),
    ],
    foot: [
      `ralph ${VERSION}, ${dateTime(data.made_at)}. Times are those of ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`,
      isCut
        ? ' Long texts, lists and patches are cut, so that the page stays below 2 MB: ralph logs and ralph diff have them.'
        : '',
    ],
  };
}

/**
 * Returns the top of the page: commands that help stand right below the result, without those that a card already
 * shows.
 */
function headPart(report: RunReport, needs: Needs): Part {
  const { tree } = report;
  const tone = ({ green: 'good', red: 'bad', unknown: 'none' } as const)[tree.state];
  const mood = report.ending === 'all_done' ? 'good' : report.ending === null ? 'part' : 'wait';
  return [
    h('p', { class: 'verdict' }, sign(mood), withLocalTimes(report.headline, new Date())),
    countsBelow(report).map((text) => h('p', null, text)),
    nextPart(report.next, needs),
    h('p', { class: `tree ${tone}` }, sign(tone), treeText(report)),
  ];
}

function runTitle({ runs }: WholeReport): string {
  return runs.length > 1 ? 'The runs' : 'The run';
}

function needsOf(report: RunReport, { human: { open, incidents } }: WholeReport): Needs {
  const asked = new Set(open.map(({ task_id }) => task_id));
  const unfinished = report.unfinished.filter(({ id, status }) => status !== 'parked' || !asked.has(id));
  return { requests: open, incidents, items: needItems({ ...report, unfinished }) };
}

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
  const waiting = waitingTexts(status).map((text) => [sign('wait'), text]);
  return [
    h('p', null, coordinatorText(status)),
    status.paused ? h('p', null, sign('wait'), 'Paused: ', code('ralph fleet resume')) : null,
    rows.length === 0 ? h('p', null, 'No worker is up.') : table('Workers of the fleet', head, rows),
    more(status.workers.length - rows.length, 'more worker', 'ralph fleet status'),
    list(waiting, most, 'plain'),
  ];
}

/** A single run is described at the top of the page, so there is only a table for two or more. */
function runParts({ runs }: WholeReport): Part[] {
  if (runs.length < 2) return [];
  const rows = runs.map(({ run, started_at, duration_ms, iterations, done, blocked, ending }) => [
    ...[run, dateTime(started_at), formatDuration(duration_ms), String(iterations)],
    ...[String(done.length), String(blocked.length), endingWord(ending, 'active')],
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
  const { started_at: at, duration_ms: ms, iteration, task_id: id, state, worker } = attempt;
  if (at === null) return [];
  const from = Date.parse(at);
  const to = ms === null ? (state === 'running' ? now.getTime() : from) : from + ms;
  return [
    {
      worker,
      from,
      to,
      tone: toneOf(attempt),
      title: `#${iteration} ${id ?? ''}: ${stateWord(attempt)}, ${formatDuration(to - from)}`,
    },
  ];
}

/** Returns ids of the newest tasks whose patches fit into the space for patches. */
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
    filterPart(stories.slice(0, anchors.size).map(filterStateOf)),
    ...stories.flatMap((story) => {
      const anchor = anchors.get(story.id);
      return anchor === undefined ? [] : [taskPart(story, anchor, size, shown.has(story.id))];
    }),
    left > 0 ? h('p', null, `and ${counted(left, 'more task')}: `, code('ralph tasks')) : null,
  ];
}

function spendParts(data: WholeReport): Part[] {
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
  return [charts.length === 0 ? null : h('div', { class: 'charts' }, ...charts)];
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
    ...[id, localTime(at, new Date()), link(task_id), GATE_TITLES[gate], words(option)],
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
  const items = shown.map((entry) => {
    const tone = ({ critical: 'bad', warning: 'wait', info: 'none' } as const)[entry.severity];
    const when = h(
      'span',
      { class: 'faint small' },
      `${localTime(entry.at, new Date())} #${entry.iteration} `,
    );
    const { outcome } = entry;
    const helped = outcome === null ? null : ['; ', h('strong', null, outcome)];
    return [sign(tone), when, storyText({ ...entry, outcome: null }, new Date()), helped];
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
