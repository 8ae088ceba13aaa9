import type { Finding } from '../../domain/findings/finding.ts';
import { entryOf } from '../../domain/findings/index.ts';
import type { Observed } from '../../domain/observed.ts';
import type { Task } from '../../domain/task.ts';
import type { Attempt } from './attempt.ts';
import type { Detector, Found } from './detector.ts';
import { DETECTORS } from './registry.ts';
import { hasOutsideCause } from './verdict/ending.ts';

/**
 * Returns the findings on an attempt, each type at most once, in the order of the detectors (docs/INTERVENTIONS.md), those of your
 * own detectors last. For an attempt cut short from outside, only detectors with `whenCutShort` run.
 */
export function detectFindings(attempt: Attempt, detectors: readonly Detector[] = DETECTORS): Finding[] {
  const outside = hasOutsideCause(attempt);
  const findings = new Map<string, Finding>();
  for (const { type, whenCutShort, detect } of detectors) {
    if (findings.has(type) || (outside && whenCutShort !== true)) continue;
    const found = detect(attempt);
    if (found !== null) findings.set(type, findingOf(type, found, attempt));
  }
  for (const finding of outside ? [] : attempt.extraFindings) {
    if (!findings.has(finding.type)) findings.set(finding.type, finding);
  }
  return [...findings.values()];
}

export type StreamIssue = Found & { readonly type: string };

export function streamIssues(observed: Observed, task: Task): StreamIssue[] {
  return DETECTORS.flatMap(({ type, detectRunning }) => {
    const found = detectRunning?.(observed, task) ?? null;
    return found === null ? [] : [{ type, ...found }];
  });
}

function findingOf(type: string, found: Found, { task, iteration }: Attempt): Finding {
  const { severity, summary, details } = found;
  const entry = entryOf(type);
  const { confidence, impactFactor } =
    severity === 'critical'
      ? { confidence: 1, impactFactor: 1 }
      : { ...entry, confidence: found.confidence ?? entry.confidence };
  return { type, severity, confidence, impactFactor, taskId: task.id, iteration, summary, details };
}
