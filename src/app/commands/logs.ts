import { join } from 'node:path';
import { workplaceStateOf } from '../../domain/records/state.ts';
import { redactor } from '../../lib/redact.ts';
import { stripControl } from '../../lib/text.ts';
import type { TranscriptEntry } from '../../report/index.ts';
import { type Attempt, findAttempts, type Wanted } from '../records/find-attempts.ts';
import {
  formatFor,
  type IterationFolder,
  iterationFolders,
  type LooseRecord,
  readFrom,
  readRecord,
  textOf,
} from '../records/iteration-files.ts';
import { readTranscript } from '../records/read-transcript.ts';
import { type DataOf, type Failure, failure, success } from '../result.ts';
import { inWorkspace, type ProjectInput, runningHere, type Workspace } from '../setup/project.ts';
import { secretsOf } from '../setup/secrets-of.ts';

/** Bytes of an agent's output that `--raw` gives, from its end. */
const RAW_READ = 64 * 1024 * 1024;

export type LogsInput = ProjectInput &
  Wanted & {
    /** The output as the agent printed it; the prompt that it got. */
    readonly show: 'transcript' | 'raw' | 'prompt';
  };

export type LogsResult = DataOf<typeof logs>;
export type LoggedAttempt = LogsResult['attempts'][number];

/** `ralph logs [ITERATION|TASK]`: what an agent said and did, and what came of it. Secrets are redacted. */
export function logs({ show, ...input }: LogsInput) {
  return inWorkspace(input, (project) => {
    const found = findAttempts(project, input, 'ralph logs');
    if (!found.ok) return found;
    const folders = iterationFolders(project.root);
    const kept = found.attempts.flatMap((attempt) => {
      const folder = folders.find(({ iteration }) => iteration === attempt.iteration);
      return folder === undefined ? [] : [loggedAttempt(project, attempt, folder, show)];
    });
    const gone = found.attempts.length - kept.length;
    if (kept.length === 0) return filesGone(found.attempts);
    return success({ attempts: kept, gone });
  });
}

function filesGone(attempts: readonly Attempt[]): Failure {
  const numbers = attempts.map(({ iteration }) => `#${iteration}`).join(', ');
  return failure(
    `The files of ${numbers} were removed: [output] keep_runs says how many runs are kept.`,
    `ralph diff ${attempts.at(-1)?.iteration}`,
  );
}

/** One attempt, as far as its files go. */
export function loggedAttempt(
  project: Workspace,
  attempt: Attempt,
  folder: IterationFolder,
  show: LogsInput['show'],
) {
  const { record, agent, reader, clean } = openLog(project, attempt, folder);
  const state = stateOf(project, attempt, record);
  if (show === 'transcript') reader.read(state !== 'running');
  const raw = show === 'raw' ? readFrom(join(folder.path, 'output.log'), 0, RAW_READ) : null;
  return {
    iteration: folder.iteration,
    run: folder.run,
    folder: folder.path.slice(project.root.length + 1),
    task_id: record?.facts?.task?.id ?? attempt.started?.taskId ?? null,
    title: record?.facts?.task?.title ?? null,
    agent,
    attempt: record?.facts?.attempt ?? null,
    state,
    started_at: record?.facts?.startedAt ?? attempt.started?.startedAt ?? null,
    duration_ms: record?.facts?.durationMs ?? null,
    show,
    transcript: reader.entries.map((entry) => cleanEntry(entry, clean)),
    notes: reader.notes(),
    output: clean(raw?.bytes.toString('utf8') ?? ''),
    prompt: show === 'prompt' ? clean(textOf(folder, 'prompt.md')) : '',
    errors: clean(textOf(folder, 'errors.log')),
    ...judgementOf(record, clean),
  };
}

/** What an attempt is read by; its reader has read nothing yet. */
export function openLog({ config }: Workspace, attempt: Attempt, folder: IterationFolder) {
  const record = readRecord(folder);
  const agent = record?.facts?.agent ?? attempt.started?.agent ?? null;
  const hide = redactor(secretsOf(config));
  return {
    ...{ record, agent },
    reader: readTranscript(folder, formatFor(record, agent, config.runners)),
    clean: (text: string) => hide(stripControl(text)),
  };
}

/** `cut_off`: it was killed, or is of a run whose end nobody saw. */
export function stateOf(
  project: Workspace,
  { iteration, ended }: Attempt,
  record: LooseRecord | null,
): 'finished' | 'running' | 'cut_off' {
  if (record !== null && ended?.type !== 'iteration_interrupted') return 'finished';
  const { openIteration } = workplaceStateOf(project.store.state, project.workplace);
  const open = openIteration?.iteration === iteration && runningHere(project)?.run === openIteration.run;
  return open ? 'running' : 'cut_off';
}

export function cleanEntry(entry: TranscriptEntry, clean: (text: string) => string) {
  if (entry.kind === 'said') return { kind: entry.kind, text: clean(entry.text) };
  if (entry.kind === 'note') return { kind: entry.kind, text: clean(entry.text) };
  const { kind, action, ok, exitCode, output, durationMs } = entry;
  return {
    ...{ kind, action: clean(action), ok, exit_code: exitCode },
    ...{ output: clean(output), duration_ms: durationMs },
  };
}

/** What was found and decided; nothing of an attempt that has no record. */
function judgementOf(record: LooseRecord | null, clean: (text: string) => string) {
  const { facts, decisions } = record ?? {};
  return {
    verdict: decisions?.verdict?.kind ?? null,
    cause: decisions?.cause === undefined ? null : clean(decisions.cause),
    findings: (decisions?.findings ?? []).map(({ type, severity, summary }) => ({
      ...{ type, severity, summary: clean(summary) },
    })),
    interventions: (decisions?.interventions ?? []).map(({ record: { type, issue }, why }) => ({
      ...{ type, issue_type: issue, why: clean(why) },
    })),
    denied: (facts?.review?.blocked ?? []).map(({ action, reason }) => ({
      action: clean(action),
      reason: clean(reason),
    })),
    gates: (facts?.gates ?? []).map(({ name, outcome, durationMs, outputTail }) => ({
      ...{ name, outcome: outcome.kind, duration_ms: durationMs, output: clean(outputTail) },
    })),
    changes: (facts?.changes?.changes ?? []).map(({ path, oldPath, kind, linesAdded, linesRemoved }) => ({
      ...{ path, old_path: oldPath, kind, lines_added: linesAdded, lines_removed: linesRemoved },
    })),
    yours: decisions?.yours ?? [],
  };
}
