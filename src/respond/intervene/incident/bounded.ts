import type { IncidentReport } from '../../../domain/incident.ts';
import { isRecord } from '../../../lib/is-record.ts';
import { shortened } from '../../../lib/text.ts';
import { recoveryOptions } from './recovery.ts';

/** A report stays below that, whatever an agent did. */
export const MAX_REPORT_BYTES = 256 * 1024;

/**
 * Bounds that are tried one after the other: characters of a text, items of a list, and of the details of findings,
 * which hold anything, also members of an object and depth.
 */
const STEPS = [
  { text: 4000, items: 500, depth: 8 },
  { text: 2000, items: 200, depth: 8 },
  { text: 1000, items: 80, depth: 6 },
  { text: 500, items: 50, depth: 4 },
  { text: 200, items: 15, depth: 3 },
  { text: 100, items: 4, depth: 2 },
] as const;
type Step = (typeof STEPS)[number];

/** Lists whose newest entries are the last ones: of these the end is kept, of others the beginning. */
const NEWEST_LAST: readonly string[] = ['timeline', 'last_actions', 'interventions'];

/** The report, cut so far that it fits. `omitted` in it counts what its lists lost; commands are never cut. */
export function boundedReport(report: IncidentReport, taskId: string): IncidentReport {
  let cut = report;
  for (const step of STEPS) {
    cut = bounded(report, step, taskId);
    if (sizeOf(cut) <= MAX_REPORT_BYTES) break;
  }
  return cut;
}

function bounded(report: IncidentReport, step: Step, taskId: string): IncidentReport {
  const cut = clip(report, step, '', null) as IncidentReport;
  const lists = { files: report.impact.files, timeline: report.timeline };
  const left = { files: cut.impact.files, timeline: cut.timeline };
  const omitted = Object.fromEntries(
    (['files', 'timeline'] as const)
      .map((name) => [name, lists[name].length - left[name].length] as const)
      .filter(([, count]) => count > 0),
  );
  const { checkpoint } = report.state_snapshot;
  return {
    ...cut,
    id: report.id,
    recovery_options: recoveryOptions(report.id, shortened(taskId, step.text), checkpoint),
    ...(Object.keys(omitted).length === 0 ? {} : { omitted }),
  };
}

/** @param depth levels that may follow, within details; `null` outside of them: there the form is known. */
function clip(value: unknown, step: Step, name: string, depth: number | null): unknown {
  if (typeof value === 'string') return shortened(value, step.text);
  const next = name === 'details' ? step.depth : depth === null ? null : depth - 1;
  if (Array.isArray(value)) {
    if (depth === 0) return [];
    const kept = NEWEST_LAST.includes(name) ? value.slice(-step.items) : value.slice(0, step.items);
    return kept.map((item) => clip(item, step, '', next));
  }
  if (!isRecord(value)) return value;
  if (depth === 0) return {};
  const members = Object.entries(value).slice(0, next === null ? undefined : step.items);
  return Object.fromEntries(
    members.map(([key, inner]) => [shortened(key, step.text), clip(inner, step, key, next)]),
  );
}

function sizeOf(report: IncidentReport): number {
  return new TextEncoder().encode(JSON.stringify(report, null, 2)).length;
}
