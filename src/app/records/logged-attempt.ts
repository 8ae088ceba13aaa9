import { join } from 'node:path';
import { redactor } from 'ralph-kit/redact';
import { stripControl } from 'ralph-kit/text';
import { shownRoles } from '../../decide/index.ts';
import { checksIn, gatesIn } from '../../domain/command-runs.ts';
import type { IterationRecord } from '../../domain/records/iteration.ts';
import { heldOutLog } from '../../domain/records/iteration-path.ts';
import { type Failing, openIterations } from '../../domain/records/state.ts';
import { allSpend, spentOf } from '../../domain/spend.ts';
import { checksOf, endedOn, triedMutants } from '../../proof/shown/index.ts';
import type { TranscriptEntry } from '../../tell/index.ts';
import { secretsOf } from '../setup/secrets-of.ts';
import { runLockHolder, type Workspace } from '../setup/workspace.ts';
import type { Attempt } from './find-attempts.ts';
import {
  formatFor,
  type IterationFolder,
  type LooseRecord,
  readFrom,
  readRecord,
  textOf,
} from './iteration-files.ts';
import { readTranscript } from './read-transcript.ts';

/** Maximum number of bytes of raw output that are returned: the last ones. */
const RAW_READ = 64 * 1024 * 1024;

/** Maximum number of characters of a held-out gate's output: the last ones. */
const OUTPUT_CHARS = 16_000;

export type LogView = 'transcript' | 'failed' | 'raw' | 'prompt';

export type LoggedAttempt = ReturnType<typeof loggedAttempt>;

export function loggedAttempt(project: Workspace, attempt: Attempt, folder: IterationFolder, show: LogView) {
  const { record, agent, reader, clean } = openLog(project, attempt, folder);
  const state = stateOf(project, attempt, record !== null);
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
    worker: attempt.started?.worker ?? record?.facts?.worker ?? 1,
    state,
    started_at: record?.facts?.startedAt ?? attempt.started?.startedAt ?? null,
    duration_ms: record?.facts?.durationMs ?? null,
    show,
    transcript: reader.entries.map((entry) => cleanEntry(entry, clean)),
    notes: reader.notes(),
    output: clean(raw?.bytes.toString('utf8') ?? ''),
    prompt: show === 'prompt' ? clean(textOf(folder, 'prompt.md')) : '',
    errors: clean(textOf(folder, 'errors.log')),
    ...judgementOf(attempt, record, { clean, folder }),
  };
}

export function openLog({ config }: Workspace, attempt: Attempt, folder: IterationFolder) {
  const record = readRecord(folder);
  const agent = record?.facts?.agent ?? attempt.started?.agent ?? null;
  const hide = redactor(secretsOf(config));
  return {
    record,
    agent,
    reader: readTranscript(folder, formatFor(record, agent, config.runners)),
    clean: (text: string) => hide(stripControl(text)),
  };
}

/** Returns the state of an attempt. `cut_off`: it was killed, or its run has no recorded end. */
export function stateOf(
  project: Workspace,
  { iteration, ended }: Attempt,
  isRecorded: boolean,
): 'finished' | 'running' | 'cut_off' {
  if (ended?.type === 'iteration_finished') return 'finished';
  if (isRecorded && ended === null) return 'finished';
  const open = openIterations(project.store.state).find((one) => one.iteration === iteration);
  const isRunning = open !== undefined && runLockHolder(project)?.run === open.run;
  return isRunning ? 'running' : 'cut_off';
}

export function cleanEntry(entry: TranscriptEntry, clean: (text: string) => string) {
  if (entry.kind === 'said') return { kind: entry.kind, text: clean(entry.text) };
  if (entry.kind === 'note') return { kind: entry.kind, text: clean(entry.text) };
  const { kind, action, ok, exitCode, output, durationMs } = entry;
  return {
    kind,
    action: clean(action),
    ok,
    exit_code: exitCode,
    output: clean(output),
    duration_ms: durationMs,
  };
}

/** Returns the roles beside the maker; empty if the maker works alone, or the record is damaged. */
function rolesOf(record: LooseRecord | null, clean: (text: string) => string) {
  const { facts, decisions } = record ?? {};
  if (facts?.workflow == null || decisions?.workflow == null || facts.settings === undefined) return [];
  return shownRoles(facts.workflow, decisions.workflow, facts.settings.prices).map(
    ({ durationMs, spent, findings, failure, ...role }) => ({
      ...role,
      failure: failure === null ? null : clean(failure),
      duration_ms: durationMs,
      tokens: spent.tokens,
      cost_usd: spent.costUsd,
      estimated_usd: spent.estimatedUsd,
      findings: findings.map((one) => ({ ...one, claim: clean(one.claim) })),
    }),
  );
}

function judgementOf(
  { ended }: Attempt,
  record: LooseRecord | null,
  { clean, folder }: { readonly clean: (text: string) => string; readonly folder: IterationFolder },
) {
  const { facts, decisions } = record ?? {};
  const judged = ended?.type === 'iteration_finished' ? ended.attempt : null;
  const cause = decisions?.cause ?? judged?.cause;
  return {
    verdict: decisions?.verdict?.kind ?? judged?.verdict ?? null,
    cause: cause === undefined ? null : clean(cause),
    findings: (decisions?.findings ?? []).map(({ type, severity, summary }) => ({
      type,
      severity,
      summary: clean(summary),
    })),
    interventions: (decisions?.interventions ?? []).map(({ record: { type, issue }, why }) => ({
      type,
      issue_type: issue,
      why: clean(why),
    })),
    denied: (facts?.review?.blocked ?? []).map(({ action, reason, rule, severity }) => ({
      action: clean(action),
      reason: clean(reason),
      rule,
      severity,
    })),
    gates: gatesIn({ commandRuns: facts?.commandRuns ?? [] }).map(
      ({ name, outcome, durationMs, outputTail, results }) => ({
        name,
        outcome: outcome.kind,
        duration_ms: durationMs,
        results,
        /** How the result compares with earlier ones; `null`: unknown, because the record is damaged. */
        standing: decisions?.gateReport?.judgements.find((one) => one.name === name)?.standing ?? null,
        why: decisions?.gateReport?.judgements.find((one) => one.name === name)?.why ?? null,
        // The output of a held-out gate isn't in the record, only in a log file.
        output: clean(outputTail || textOf(folder, `${heldOutLog(name)}-1.log`).slice(-OUTPUT_CHARS)),
      }),
    ),
    changes: (facts?.changes?.changes ?? []).map(({ path, oldPath, kind, linesAdded, linesRemoved }) => ({
      path,
      old_path: oldPath,
      kind,
      lines_added: linesAdded,
      lines_removed: linesRemoved,
    })),
    roles: rolesOf(record, clean),
    failing: failingOf(judged?.failing ?? null, clean),
    spent: judged === null || decisions === undefined ? null : spentIn(decisions),
    proof: proofOf(record, clean),
  };
}

function failingOf(failing: Failing | null, clean: (text: string) => string) {
  return failing === null ? null : { ...failing, lines: failing.lines.map(clean) };
}

/** Returns the prover's checks, but only those that failed before the work. */
function provenChecks(facts: LooseRecord['facts'] | undefined) {
  const { task, taskState, prover = null, commandRuns = [] } = facts ?? {};
  const isWhole = task !== undefined && taskState !== undefined;
  const known = isWhole ? checksOf({ task, taskState, prover, commandRuns }) : null;
  return (known?.checks ?? []).flatMap(({ at, criterion }) => {
    const after = endedOn({ commandRuns }, at);
    return after === undefined ? [] : [{ command: '', criterion, before: 'failed' as const, after }];
  });
}

/** Returns the usage of an attempt with its roles; `null`: unknown, because the record is damaged. */
function spentIn({ spend, workflow = null, prover = null }: Partial<IterationRecord['decisions']>) {
  if (spend === undefined) return null;
  const { tokens, costUsd, estimatedUsd } = spentOf(allSpend({ spend, workflow, prover }));
  return { tokens, cost_usd: costUsd, estimated_usd: estimatedUsd };
}

/** Returns the proof of the work, and what was tried for it; `null`: nothing was run for a proof. */
function proofOf(record: LooseRecord | null, clean: (text: string) => string) {
  const { facts, decisions } = record ?? {};
  const proof = decisions?.proof;
  const { commandRuns = [], mutants = null } = facts ?? {};
  if (proof === undefined || (proof.grade === 'none' && facts?.proof == null && mutants === null))
    return null;
  // Tests of held-out gates stay hidden, because you may pass on a report.
  const heldOut = facts?.settings?.heldOutGates ?? [];
  return {
    grade: proof.grade,
    witnesses: proof.witnesses.map(({ gate, standing: status, failToPass }) => ({
      gate,
      status,
      fail_to_pass: heldOut.includes(gate) ? [] : failToPass.map(clean),
    })),
    changed_demands: proof.changedDemands.map(clean),
    bent: proof.bent.map(clean),
    lowered: proof.lowered.map(clean),
    against: proof.against.map(clean),
    checks: [
      ...checksIn({ commandRuns }).map(({ command, before, after }) => ({
        command: clean(command),
        criterion: null,
        before: before.kind,
        after: after.outcome.kind,
      })),
      ...provenChecks(facts),
    ],
    mutants: triedMutants({ commandRuns, mutants }).map(({ path, line, kind, before, after, killed }) => ({
      path,
      line,
      kind,
      killed,
      before: clean(before),
      after: clean(after),
    })),
    criteria: (facts?.criteria ?? []).map(({ criterion, standing: status, why }) => ({
      text: clean(facts?.task?.acceptance[criterion] ?? ''),
      status,
      why: clean(why),
    })),
  };
}
