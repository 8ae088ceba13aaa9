import { avoidanceLine } from '../../../domain/findings/avoidance.ts';
import { gravestOf } from '../../../lib/severity.ts';
import type { Attempt } from '../attempt.ts';
import type { Found } from '../detector.ts';
import { NAMED } from '../numbers.ts';

/**
 * Checks made weaker instead of code made better, shown by combined evidence. What is critical waits for you at a human
 * gate: it stops nothing else, so it counts as high here.
 */
export function avoidance({ avoidance: { acting } }: Attempt): Found | null {
  const [first] = acting;
  if (first === undefined) return null;
  const gravest = gravestOf(acting.map(({ severity }) => severity));
  const severity = gravest === null || gravest === 'critical' ? 'high' : gravest;
  const more = acting.length > 1 ? ` (and ${acting.length - 1} more)` : '';
  return {
    severity,
    confidence: Math.max(...acting.map(({ confidence }) => confidence)),
    summary: `${avoidanceLine(first)}${more}`,
    details: {
      categories: [...new Set(acting.map(({ category }) => category))],
      files: [...new Set(acting.map(({ path }) => path))].filter((path) => path !== '').slice(0, NAMED),
      findings: acting.slice(0, NAMED).map(({ category, path, line, before, after, evidence }) => ({
        ...{ category, path, line, before, after, evidence },
      })),
      count: acting.length,
    },
  };
}
