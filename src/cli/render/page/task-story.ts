import { h } from 'preact';
import { counted } from 'ralph-kit/counted';
import { formatDuration } from 'ralph-kit/duration';
import { shellQuote } from 'ralph-kit/shell-quote';
import type { WholeReport } from '../../../app/commands/report-page.ts';
import type { DoneTask, RunReport, UnfinishedTask } from '../../../domain/run-report.ts';
import { STATUS_WORD } from '../../../domain/task.ts';
import {
  ANSWER_WORD,
  causeText,
  changedText,
  failingHead,
  GRADE_TEXT,
  gateRunText,
  gradeParts,
  localTime,
  NOT_LISTED,
  spentParts,
  stateWord,
  withLocalTimes,
  words,
} from '../../../tell/index.ts';
import { toneOf } from './attempt-tone.ts';
import { type FilterState, filtered } from './filter.ts';
import { clip, code, excerpt, fold, list, name, type Part, type Size, sign, type Tone } from './parts.ts';

type Attempt = WholeReport['attempts'][number];
type Changes = WholeReport['changes'][number];

export type TaskStory = {
  readonly id: string;
  readonly title: string;
  readonly done: DoneTask | null;
  readonly unfinished: UnfinishedTask | null;
  readonly attempts: readonly Attempt[];
  readonly changes: Changes | null;
};

/** Returns the tasks in the order of their first attempts, then tasks without attempts that are done or unfinished. */
export function storiesOf({ attempts, changes }: WholeReport, report: RunReport): TaskStory[] {
  const byTask = new Map<string, Attempt[]>();
  for (const attempt of attempts) {
    const id = attempt.task_id ?? '';
    const known = byTask.get(id);
    if (known === undefined) byTask.set(id, [attempt]);
    else known.push(attempt);
  }
  const done = new Map(report.doneInRun.map((task) => [task.id, task]));
  const unfinished = new Map(report.unfinished.map((task) => [task.id, task]));
  const changed = new Map(changes.map((one) => [one.task_id ?? '', one]));
  const ids = [...new Set([...byTask.keys(), ...done.keys(), ...unfinished.keys()])];
  return ids.map((id) => {
    const made = byTask.get(id) ?? [];
    const known = done.get(id) ?? unfinished.get(id);
    return {
      id,
      title: known?.title ?? made.at(-1)?.title ?? '',
      done: done.get(id) ?? null,
      unfinished: unfinished.get(id) ?? null,
      attempts: made,
      changes: changed.get(id) ?? null,
    };
  });
}

/**
 * Returns a task that can be unfolded. Folded, it shows how the task ended; unfolded, each attempt, the proof and the
 * changes.
 */
export function taskPart(story: TaskStory, anchor: string, size: Size, withPatch: boolean): Part {
  const { id, title, attempts, done, unfinished } = story;
  const { tone, word } = stateOf(story);
  const proof = attempts.findLast((one) => one.proof !== null)?.proof ?? null;
  const tookMs = attempts.reduce((sum, { duration_ms }) => sum + (duration_ms ?? 0), 0);
  const facts = [
    word,
    ...(attempts.length === 0 ? [] : [counted(attempts.length, 'attempt'), formatDuration(tookMs)]),
    ...(done === null ? [] : [...spentParts(done.spent), ...gradeParts(done)]),
  ];
  return h(
    'details',
    { class: filtered(filterStateOf(story)), id: anchor },
    h(
      'summary',
      null,
      sign(tone),
      h('h3', null, name(id, 80), ' ', name(title)),
      h('span', { class: 'facts' }, facts.join(' · ')),
    ),
    h(
      'div',
      null,
      // Tasks that need you are explained at the top of the page.
      unfinished === null || unfinished.group === 'you'
        ? null
        : h('p', null, withLocalTimes(causeText(unfinished), new Date())),
      done === null ? null : commitLine(done),
      signsOf(done, size),
      attemptList(attempts, size),
      proofPart(proof, size),
      criteriaPart(criteriaOf(done, proof), size),
      mutantsPart(proof, size),
      changesPart(story.changes, size, withPatch),
    ),
  );
}

export function filterStateOf({ done, unfinished, attempts }: TaskStory): FilterState {
  if (attempts.some(({ state }) => state === 'running')) return 'running';
  if (unfinished?.group === 'you') return 'you';
  return done === null || unfinished !== null ? 'open' : 'done';
}

function stateOf({ done, unfinished }: TaskStory): { readonly tone: Tone; readonly word: string } {
  if (done?.status === 'done') return { tone: 'good', word: 'done' };
  if (done?.status === null) return { tone: 'good', word: `done, ${NOT_LISTED}` };
  const status = unfinished?.status ?? done?.status ?? null;
  if (status === 'blocked') return { tone: 'bad', word: 'blocked' };
  if (status === 'parked' || status === 'unverified') return { tone: 'wait', word: STATUS_WORD[status] };
  if (unfinished?.group === 'you') return { tone: 'wait', word: 'needs you' };
  if (unfinished?.group === 'attempted') return { tone: 'part', word: 'in progress' };
  return {
    tone: 'none',
    word: status === null ? NOT_LISTED : unfinished === null ? STATUS_WORD[status] : 'not started',
  };
}

function commitLine({ commits }: DoneTask): Part {
  if (commits.length === 0) return h('p', { class: 'faint' }, 'Not committed.');
  return h(
    'p',
    null,
    commits.length === 1 ? 'Commit: ' : 'Commits: ',
    ...commits.flatMap((id) => [code(id.slice(0, 10)), ' ']),
  );
}

function signsOf(done: DoneTask | null, { entries }: Size): Part {
  if (done === null || done.signs.length === 0) return null;
  const items = done.signs.map((text) => [sign('wait'), text]);
  return [h('h4', null, 'To check'), list(items, entries, 'plain')];
}

function attemptList(attempts: readonly Attempt[], size: Size): Part {
  if (attempts.length === 0) return null;
  const shown = attempts.slice(-size.entries);
  const left = attempts.length - shown.length;
  return [
    h('h4', null, 'Attempts'),
    left === 0
      ? null
      : h(
          'p',
          { class: 'faint' },
          `${counted(left, 'earlier attempt')}: `,
          code(`ralph logs --task ${shellQuote(shown[0]?.task_id ?? '')}`),
        ),
    h('ol', { class: 'attempts' }, ...shown.map((attempt) => h('li', null, attemptPart(attempt, size)))),
  ];
}

function attemptPart(attempt: Attempt, { entries }: Size): Part {
  const { iteration, started_at: at, duration_ms: ms, agent, cause, failing, spent } = attempt;
  const used =
    spent === null
      ? []
      : spentParts({ tokens: spent.tokens, costUsd: spent.cost_usd, estimatedUsd: spent.estimated_usd });
  const facts = [
    ...(agent === null ? [] : [agent]),
    ...(at === null ? [] : [localTime(at, new Date())]),
    ...(ms === null ? [] : [formatDuration(ms)]),
    ...used,
  ];
  // The cause is the gravest finding in most attempts.
  const found = new Set(
    attempt.findings.map(({ summary }) => summary).filter((summary) => summary !== cause),
  );
  const denied = attempt.denied.map(({ action, reason }) => ['denied: ', code(action), ` ${reason}`]);
  const applied = attempt.interventions.map(({ type }) => ANSWER_WORD[type]);
  return [
    sign(toneOf(attempt)),
    h('strong', null, `#${iteration} ${stateWord(attempt)}`),
    h('span', { class: 'faint small' }, ` ${facts.join(' · ')}`),
    cause === null ? null : h('div', null, withLocalTimes(cause, new Date())),
    gatesPart(attempt),
    list([...found, ...denied, ...applied], entries),
    failing === null
      ? null
      : [h('div', { class: 'faint small' }, `${failingHead(failing)}:`), excerpt(failing.lines)],
  ];
}

function gatesPart({ gates }: Attempt): Part {
  if (gates.length === 0) return null;
  return h('div', { class: 'faint small' }, `Gates: ${gates.map(gateRunText).join(', ')}`);
}

type Proof = NonNullable<Attempt['proof']>;

function proofPart(proof: Proof | null, { entries }: Size): Part {
  if (proof === null) return null;
  const parts = proof.witnesses
    .filter(({ fail_to_pass: names }) => names.length > 0)
    .map(({ gate, fail_to_pass: names }) => [
      h('p', null, 'Fail without the work and pass with it (', name(gate), '):'),
      list(
        names.map((one) => code(one)),
        entries,
      ),
    ]);
  const dead = proof.witnesses.filter(({ status }) => status === 'dead').map(({ gate }) => gate);
  const checks = proof.checks.map(({ command, criterion, before, after }) => [
    command === ''
      ? `the prover's check of ${criterion === 0 ? 'the task' : `criterion ${criterion}`}`
      : code(command),
    `: ${words(before)} before, ${words(after)} after`,
  ]);
  const all = [
    h('p', null, GRADE_TEXT[proof.grade]),
    ...parts,
    dead.length === 0 ? null : h('p', null, `Passes whatever the code does: ${dead.join(', ')}.`),
    checks.length === 0 ? null : [h('p', null, 'Checks:'), list(checks, entries)],
    proof.changed_demands.length === 0
      ? null
      : [
          h('p', null, 'Tests of before that demand something else now:'),
          list(proof.changed_demands.map(code), entries),
        ],
    list(proof.against, entries),
  ];
  return [h('h4', null, 'Proof'), ...all];
}

type Criterion = { readonly text: string; readonly status: string; readonly why: string };

function criteriaOf(done: DoneTask | null, proof: Proof | null): readonly Criterion[] {
  const known = done?.criteria.map(({ text, standing: status, why }) => ({ text, status, why })) ?? [];
  return known.length > 0 ? known : (proof?.criteria ?? []);
}

function criteriaPart(criteria: readonly Criterion[], { entries }: Size): Part {
  if (criteria.length === 0) return null;
  const items = criteria.map(({ text, status, why }) => {
    const tone = ({ shown: 'good', contradicted: 'bad' } as const)[status as 'shown'] ?? 'none';
    return [
      sign(tone),
      text,
      h('span', { class: 'faint' }, ` (${words(status)}${why === '' ? '' : `: ${why}`})`),
    ];
  });
  return [h('h4', null, 'Criteria'), list(items, entries, 'plain')];
}

/** Returns the mutants. Those that no gate noticed come first. */
function mutantsPart(proof: Proof | null, { entries }: Size): Part {
  const mutants = proof?.mutants ?? [];
  if (mutants.length === 0) return null;
  const sorted = [...mutants.filter(({ killed }) => !killed), ...mutants.filter(({ killed }) => killed)];
  const items = sorted.map(({ path, line, killed, before, after }) => [
    sign(killed ? 'good' : 'bad'),
    `${killed ? 'noticed' : 'not noticed'}: `,
    name(`${path}:${line}`),
    h('pre', null, h('del', null, `-${before}`), h('ins', null, `+${after}`)),
  ]);
  return [h('h4', null, 'Small mistakes that gates were tried with'), list(items, entries, 'plain')];
}

function changesPart(changes: Changes | null, size: Size, withPatch: boolean): Part {
  if (changes === null || changes.files.length === 0) return null;
  const { files, patch, is_cut: isCut } = changes;
  const sum = (of: (one: (typeof files)[number]) => number | null) =>
    files.reduce((all, one) => all + (of(one) ?? 0), 0);
  const title = changedText(
    files.length,
    sum((one) => one.lines_added),
    sum((one) => one.lines_removed),
  );
  const lines = withPatch ? patch.trimEnd().split('\n') : [];
  const shown = lines.map((one) => clip(one, LONGEST_LINE));
  const isWhole = withPatch && !isCut;
  return fold(
    title,
    list(
      files.map(({ path }) => code(path)),
      size.entries,
      'plain small',
    ),
    shown.length === 0 ? null : h('pre', null, ...patchParts(shown)),
    isWhole
      ? null
      : h(
          'p',
          { class: 'faint' },
          'The rest: ',
          code(`ralph diff --task ${shellQuote(changes.task_id ?? '')}`),
        ),
  );
}

/** Characters of a line of a patch. */
export const LONGEST_LINE = 300;

/** Lines of the same kind in a row become one part. */
export function patchParts(lines: readonly string[]): Part[] {
  const parts: { readonly kind: string; readonly lines: string[] }[] = [];
  for (const line of lines) {
    const kind = /^(?:\+\+\+|---) /.test(line)
      ? ''
      : line.startsWith('+')
        ? 'ins'
        : line.startsWith('-')
          ? 'del'
          : '';
    const last = parts.at(-1);
    if (last?.kind === kind) last.lines.push(line);
    else parts.push({ kind, lines: [line] });
  }
  return parts.map(({ kind, lines: own }) =>
    kind === '' ? h('div', null, own.join('\n')) : h(kind, null, own.join('\n')),
  );
}
