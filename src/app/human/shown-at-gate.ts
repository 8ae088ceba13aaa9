import { parseJson } from 'ralph-kit/parse-json';
import { tryOr } from 'ralph-kit/try-or';
import * as z from 'zod/mini';
import { AvoidanceFacts, avoidanceLine, type FoundAvoidance } from '../../domain/findings/avoidance.ts';
import type { GateRequest } from '../../domain/human/gate.ts';
import { changesOf, type Recovery, type RecoveryTry, recoveryPath } from '../../domain/human/recovery.ts';
import { iterationPath } from '../../domain/records/iteration-path.ts';
import { gateText } from '../../tell/index.ts';
import type { Workspace } from '../setup/workspace.ts';

/**
 * Returns the text of an option that only shows something: the change, earlier decisions, or details of the request.
 */
export function shownAtGate({ store }: Workspace, request: GateRequest, option: string): string {
  const { facts } = request;
  const folder = iterationPath(request);
  if (option === 'diff') {
    const path = `${folder}/changes.patch`;
    return store.readDocument(path) ?? `No change is on record (.ralph/${path}).`;
  }
  if (request.action !== null) return `${gateText(request)}\n\n${request.action.detail}`;
  const { human, recoveries } = store.state;
  if (option === 'history') {
    const files = new Set(facts.files);
    const before = human.decided.filter((one) => one.request.facts.files.some((path) => files.has(path)));
    const lines = before.map(
      ({ at, option: was, request: one }) => `${at} ${one.id} ${one.facts.patterns.join(', ')}: ${was}`,
    );
    return lines.length === 0 ? 'Nothing was decided about these files before.' : lines.join('\n');
  }
  const recovery = recoveries.find((one) => recoveryPath(one) === facts.recoveryRecord);
  if (recovery !== undefined) return recoveryText(recovery);
  const found = findingsOf(store, request);
  return found.length === 0 ? gateText(request) : found.map(foundText).join('\n\n');
}

const Recorded = z.object({
  facts: z.object({ avoidance: AvoidanceFacts }),
});

/** Returns an attempt's findings without whitelisted ones; empty if its record is missing or damaged. */
export function findingsOf(
  { readDocument }: Pick<Workspace['store'], 'readDocument'>,
  attempt: { readonly run: string; readonly iteration: number },
): readonly FoundAvoidance[] {
  const text = tryOr(null, () => readDocument(`${iterationPath(attempt)}/iteration.json`));
  const read = parseJson(text, Recorded);
  return (read?.facts.avoidance.findings ?? []).filter((one) => one.whitelisted === null);
}

function foundText(found: FoundAvoidance): string {
  const { category, severity, confidence, before, after, evidence } = found;
  return [
    avoidanceLine(found),
    `  ${category} (${severity}, confidence ${confidence})${evidence.length === 0 ? '' : `: ${evidence.join('; ')}`}`,
    ...(before === null ? [] : [`  - ${before.trim()}`]),
    ...(after === null ? [] : [`  + ${after.trim()}`]),
  ].join('\n');
}

function recoveryText(recovery: Recovery): string {
  return [
    `${recovery.id}: ${recovery.taskId} ${recovery.title}`,
    ...recovery.tries.map((one, index) => tryText(one, index)),
    recoveryPath(recovery),
  ].join('\n\n');
}

function tryText(
  { iteration, agent, ended, diagnosis, flaky, adaptation }: RecoveryTry,
  index: number,
): string {
  return [
    `${index === 0 ? 'Began' : `Attempt ${index}`}: iteration ${iteration}, ${agent}`,
    `  ${ended}`,
    ...flaky.map((gate) => `  Gate "${gate}" passed when it was run once more.`),
    `  ${diagnosis.text} Confidence ${diagnosis.confidence}.`,
    ...(adaptation === null ? [] : [`  Then: ${changesOf(adaptation)}.`]),
  ].join('\n');
}
