import type { InterventionPlan, InterventionRecord, InterventionType } from '../domain/intervention.ts';
import { unreachable } from '../lib/unreachable.ts';
import type { Choice } from './choose.ts';
import { chooseCheckpoint } from './choose-checkpoint.ts';
import type { ControlInput } from './input.ts';
import { noCheckpointText, recoveryPlan, rollbackText } from './rollback-texts.ts';
import { softCorrection } from './soft-correction.ts';
import { lowered } from './throttle.ts';
import { throttleNotice } from './throttle-notice.ts';

/**
 * What an intervention that answers these findings does.
 *
 * @param choices the findings that came to the type, the gravest first.
 * @param records the interventions of the series.
 */
export function planFor(
  type: InterventionType,
  choices: readonly Choice[],
  input: ControlInput,
  records: readonly InterventionRecord[],
): InterventionPlan {
  const findings = choices.map(({ finding }) => finding);
  const own = choices.find(({ text }) => text !== null)?.text ?? null;
  switch (type) {
    case 'soft_correction':
      return { type, text: softTexts(choices, input) };
    case 'context_reinforcement':
      return { type, issues: findings.map((finding) => finding.type) };
    case 'resource_throttling': {
      const { limits, growth } = lowered(input, findings, records);
      const text = own ?? throttleNotice(limits, growth, input.task);
      return { type, before: input.limits, limits, growth, text };
    }
    case 'checkpoint_rollback': {
      const issues = findings.map((finding) => finding.type);
      const checkpoint = chooseCheckpoint(input, issues);
      return checkpoint === null
        ? {
            type,
            checkpoint: null,
            text: own ?? noCheckpointText(findings, input),
            recovery: recoveryPlan(findings, input),
          }
        : {
            type,
            checkpoint: checkpoint.id,
            text: own ?? rollbackText(findings, checkpoint, input),
            recovery: [],
          };
    }
    case 'emergency_stop':
      return { type, reason: findings.map(({ summary }) => summary).join(' ') };
    default:
      return unreachable(type);
  }
}

/** One text per issue, without those that already reached the running agent. */
function softTexts(choices: readonly Choice[], input: ControlInput): string {
  const reached = new Set(input.corrections.map(({ issue }) => issue));
  return choices
    .filter(({ finding }) => !reached.has(finding.type))
    .map(({ finding, text }) => text ?? softCorrection(finding, input))
    .join('\n\n');
}
