import { type Finding, isFindingType } from '../domain/finding.ts';
import { CRITICAL_WEIGHT, FINDING_WEIGHTS } from '../domain/findings-table.ts';
import type { Attempt } from './attempt.ts';
import type { Detector, Found } from './detector.ts';
import { hasOutsideCause } from './ending.ts';
import { DETECTORS } from './registry.ts';

/** Of an issue that the table of weights does not know. */
const UNKNOWN_WEIGHT = { confidence: 0.8, impactFactor: 0.3 };

/**
 * What is wrong with an attempt, each type at most once, in the order of the detectors (spec 3-interventions,
 * Findings). What a person's detectors found comes last. An attempt that was cut short from outside is only looked at
 * by the detectors that are marked for it.
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

function findingOf(type: string, found: Found, { task, iteration }: Attempt): Finding {
  const { severity, summary, details, ladder } = found;
  const weight = weightOf(type, severity);
  return {
    type,
    severity,
    confidence: found.confidence ?? weight.confidence,
    impactFactor: found.impactFactor ?? weight.impactFactor,
    taskId: task.id,
    iteration,
    summary,
    details,
    ...(ladder === undefined ? {} : { ladder }),
  };
}

function weightOf(type: string, severity: Finding['severity']): typeof UNKNOWN_WEIGHT {
  if (severity === 'critical') return CRITICAL_WEIGHT;
  return isFindingType(type) ? FINDING_WEIGHTS[type] : UNKNOWN_WEIGHT;
}
