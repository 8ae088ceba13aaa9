import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { EVENT_TYPES } from '../../domain/event.ts';
import type { State } from '../../domain/state.ts';
import { systemClock } from '../../io/clock.ts';
import { readFileBytes } from '../../io/read-file.ts';
import { archiveEvents } from '../../io/store/index.ts';
import { nearest } from '../../lib/nearest.ts';
import { redact, secretsFromEnv } from '../../lib/redact.ts';
import { stripControl } from '../../lib/text.ts';
import { currentFeedback, eventsDocument, viewDocuments } from '../../state/index.ts';
import { type CommandResult, failure, success } from '../result.ts';
import { openWorkspace, type ProjectInput, storeFailure, type Workspace } from '../setup/project.ts';

export type InterventionsInput = ProjectInput & {
  readonly last: number | null;
  readonly type: string | null;
  readonly severity: string | null;
  readonly task: string | null;
  readonly reset: boolean;
  /** How the interventions fared, instead of the events. */
  readonly stats: boolean;
};

const SEVERITIES = ['info', 'warning', 'critical'];

/** `ralph interventions`: the events, newest last; `--reset` archives them and never deletes. */
export async function interventions(input: InterventionsInput): Promise<CommandResult> {
  for (const [name, value, known] of [
    ['--type', input.type, EVENT_TYPES],
    ['--severity', input.severity, SEVERITIES],
  ] as const) {
    if (value === null || known.includes(value as never)) continue;
    const near = nearest(value, known);
    return failure(
      `${name} ${value} is not known.${near === null ? '' : ` Did you mean ${near}?`} Known: ${known.join(', ')}.`,
    );
  }
  const opened = await openWorkspace(input);
  if (!opened.ok) return opened;
  const { store, root } = opened.project;
  if (input.reset) {
    const count = store.state.events.length;
    if (count === 0) return success({ reset: 0, archive: null });
    try {
      const now = systemClock().now();
      const content = `${JSON.stringify(eventsDocument(store.state, Number.POSITIVE_INFINITY), null, 2)}\n`;
      const archive = archiveEvents(join(root, '.ralph'), content, now);
      store.commit(() => [{ type: 'events_reset' }]);
      store.writeViews();
      return success({ reset: count, archive: `.ralph/${archive}` });
    } catch (error) {
      return storeFailure(error);
    }
  }
  if (input.stats) return success({ stats: interventionStats(store.state) });
  const matching = store.state.events.filter(
    (event) =>
      (input.type === null || event.event_type === input.type) &&
      (input.severity === null || event.severity === input.severity) &&
      (input.task === null || event.details.task_id === input.task),
  );
  const shown = input.last === null ? matching : input.last === 0 ? [] : matching.slice(-input.last);
  return success({ total: matching.length, events: shown });
}

/** How often each intervention was applied for an issue, by agent, and how often it helped; most frequent first. */
function interventionStats({ interventionStats: stats }: State): Record<string, unknown>[] {
  return stats.cells
    .toSorted((one, other) => other.applied - one.applied)
    .map(({ agent, issue, type, applied, helped, notHelped, noFurtherAttempt, escalated }) => ({
      agent,
      issue_type: issue,
      intervention_type: type,
      applied,
      helped,
      not_helped: notHelped,
      no_further_attempt: noFurtherAttempt,
      escalated,
      effectiveness:
        helped + notHelped === 0 ? null : Math.round((helped / (helped + notHelped)) * 100) / 100,
    }));
}

/** `ralph profile`: how the agents behaved; `--reinstate` lifts a suspension, and lets one be tried that is waited for. */
export async function profile(
  input: ProjectInput & { readonly agent: string | null; readonly reinstate: boolean },
): Promise<CommandResult> {
  const opened = await openWorkspace(input);
  if (!opened.ok) return opened;
  const { store, config } = opened.project;
  const known = Object.keys(store.state.profiles);
  const { agent } = input;
  if (agent !== null && !known.includes(agent)) {
    return failure(
      `There is no profile of ${agent} yet. Known: ${known.length === 0 ? 'none; profiles begin with the first run' : known.join(', ')}.`,
      'ralph profile',
    );
  }
  if (input.reinstate) {
    if (agent === null)
      return failure('--reinstate needs an agent.', 'ralph profile --agent NAME --reinstate');
    const known = store.state.profiles[agent];
    if (known?.suspended === null && known.unavailable === null)
      return failure(`${agent} is not suspended, and nothing else is known against it.`, 'ralph profile');
    try {
      store.commit(() => [{ type: 'agent_reinstated', agent }]);
      store.writeViews();
    } catch (error) {
      return storeFailure(error);
    }
  }
  const view = viewDocuments(store.state, {
    maxEvents: 1,
    feedbackRotationDays: config.interventions.feedback_rotation_days,
    now: systemClock().now(),
  }).find(({ path }) => path.endsWith('profile.json'));
  const document = JSON.parse(view?.content ?? '{"profiles":[]}') as { profiles: { agent_id: string }[] };
  const profiles = document.profiles.filter(({ agent_id }) => agent === null || agent_id === agent);
  return success({ profiles, reinstated: input.reinstate ? agent : null });
}

/** `ralph feedback add|list|clear`: a person's guidance, and what the loop says to the agent. */
export async function feedback(
  input: ProjectInput & {
    readonly action: 'add' | 'list' | 'clear';
    readonly text: string;
    readonly task: string | null;
  },
): Promise<CommandResult> {
  const opened = await openWorkspace(input);
  if (!opened.ok) return opened;
  const { store, config } = opened.project;
  const now = systemClock().now();
  try {
    if (input.action === 'add') {
      const text = input.text.trim();
      if (text === '')
        return failure('There is no text to add.', 'ralph feedback add "Use the existing parser"');
      store.commit(() => [
        {
          type: 'feedback_added',
          entry: { at: now, taskId: input.task, iteration: null, kind: 'guidance', source: 'person', text },
        },
      ]);
      store.writeViews();
    }
    if (input.action === 'clear') {
      store.commit(() => [{ type: 'feedback_cleared', source: 'person' }]);
      store.writeViews();
    }
  } catch (error) {
    return storeFailure(error);
  }
  const entries = currentFeedback(store.state.feedback, {
    now,
    feedbackRotationDays: config.interventions.feedback_rotation_days,
  });
  return success({
    action: input.action,
    entries: entries.map(({ at, taskId, iteration, kind, source, text }) => ({
      at,
      task_id: taskId,
      iteration,
      kind,
      source,
      text,
    })),
  });
}

/** Characters of an agent's output that `ralph logs` shows from the end. */
const LOG_LIMIT = 100_000;

/** `ralph logs [ITERATION]`: what an iteration printed and came to; the newest one by default. Secrets are redacted. */
export async function logs(
  input: ProjectInput & { readonly iteration: number | null },
): Promise<CommandResult> {
  const opened = await openWorkspace(input);
  if (!opened.ok) return opened;
  const folders = iterationFolders(opened.project);
  const wanted = input.iteration ?? folders.at(-1)?.iteration ?? null;
  const found = folders.find(({ iteration }) => iteration === wanted);
  if (found === undefined) {
    const kept =
      folders.length === 0 ? 'none yet' : `${folders[0]?.iteration} to ${folders.at(-1)?.iteration}`;
    return failure(
      wanted === null ? 'There are no iterations yet.' : `There is no iteration ${wanted}. Kept: ${kept}.`,
      wanted === null ? 'ralph run' : 'ralph logs',
    );
  }
  const secrets = secretsFromEnv(process.env);
  const clean = (text: string) => redact(stripControl(text), secrets);
  const read = (name: string) => clean(readEnd(join(found.path, name)));
  const record = readRecord(join(found.path, 'iteration.json'));
  return success({
    iteration: found.iteration,
    folder: found.path.slice(opened.project.root.length + 1),
    task_id: record?.facts?.task?.id ?? null,
    verdict: record?.decisions?.verdict?.kind ?? null,
    cause: record?.decisions?.cause ?? null,
    output: read('output.log'),
    errors: read('errors.log'),
    interventions: (record?.decisions?.interventions ?? []).map(({ record: { type }, why }) => ({
      type,
      why: clean(why),
    })),
    denied: (record?.facts?.review?.blocked ?? []).map(({ action, reason }) => ({
      action: clean(action),
      reason: clean(reason),
    })),
    gates: (record?.facts?.gates ?? []).map(({ name, outcome, outputTail }) => ({
      name,
      outcome: outcome.kind,
      output: clean(outputTail),
    })),
  });
}

type LooseRecord = {
  facts?: {
    task?: { id: string };
    review?: { blocked?: { action: string; reason: string }[] };
    gates?: { name: string; outcome: { kind: string }; outputTail: string }[];
  };
  decisions?: {
    verdict?: { kind: string };
    cause?: string;
    interventions?: { record: { type: string }; why: string }[];
  };
};

function readRecord(path: string): LooseRecord | null {
  try {
    return JSON.parse(readFileBytes(path).toString('utf8')) as LooseRecord;
  } catch {
    return null;
  }
}

function readEnd(path: string): string {
  try {
    const text = readFileBytes(path).toString('utf8');
    return text.length <= LOG_LIMIT
      ? text
      : `[… ${text.length - LOG_LIMIT} characters cut]\n${text.slice(-LOG_LIMIT)}`;
  } catch {
    return '';
  }
}

function iterationFolders({ root }: Workspace): { iteration: number; path: string }[] {
  const runs = join(root, '.ralph', 'runs');
  if (!existsSync(runs)) return [];
  return readdirSync(runs)
    .flatMap((run) => {
      const folder = join(runs, run, 'iterations');
      if (!existsSync(folder)) return [];
      return readdirSync(folder)
        .filter((name) => /^\d+$/.test(name) && Number(name) > 0)
        .map((name) => ({ iteration: Number(name), path: join(folder, name) }));
    })
    .sort((a, b) => a.iteration - b.iteration);
}
