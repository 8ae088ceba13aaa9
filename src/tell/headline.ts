import { counted } from 'ralph-kit/counted';
import { onOneLine, shortened } from 'ralph-kit/text';
import { PLAIN_REASONS, type RunEnding } from '../domain/exit.ts';
import type { IncidentSummary } from '../domain/incident.ts';
import type { AgentAway } from '../domain/records/run-summary.ts';
import type { RunReport, UnfinishedTask } from '../domain/run-report.ts';
import { CONSEQUENCES } from '../domain/service.ts';

/**
 * Returns a text such as `2 of 5 tasks done, 2 need you, 1 open.`, which covers all tasks of the list and waiting
 * results.
 */
export function countsText(
  { done, total }: RunReport['tasks'],
  open: readonly UnfinishedTask[],
  waiting: number,
): string {
  const you = open.filter(({ group }) => group === 'you').length;
  const behind = open.filter(({ group, waitsFor }) => group !== 'you' && waitsFor.length > 0).length;
  const left = [
    [you, you === 1 ? 'needs you' : 'need you'],
    [waiting, `verified ${waiting === 1 ? 'result waits' : 'results wait'} for you`],
    [open.length - you - behind, 'open'],
    [behind, `${behind === 1 ? 'waits' : 'wait'} for another`],
  ] as const;
  const parts = left.flatMap(([count, what]) => (count > 0 ? [`, ${count} ${what}`] : []));
  return `${done} of ${counted(total, 'task')} done${parts.join('')}.`;
}

/** Returns the counts, for below the first line of a report; empty: that line has them. */
export function countsBelow({ headline, counts }: Pick<RunReport, 'headline' | 'counts'>): readonly string[] {
  return headline.includes(counts) ? [] : [counts];
}

const PLAIN: ReadonlySet<string> = new Set(Object.values(PLAIN_REASONS));

type Ended = {
  /** How the run ended; `null`: it hasn't. */
  readonly ending: RunEnding | null;
  readonly reason: string;
  readonly counts: string;
  readonly open: readonly UnfinishedTask[];
  readonly unchecked: RunReport['unchecked'];
  readonly away: readonly AgentAway[];
  /** Command with which runs continue after a policy stopped them; `null`: none did. */
  readonly resume: string | null;
  /** The emergency stop of these runs that paused all runs; `null`: there was none. */
  readonly incident: IncidentSummary | null;
};

/**
 * Returns the first line of a report: how much is done, or what stopped the run early, and which agents couldn't work.
 */
export function headlineOf(ended: Ended): string {
  const unchecked = ended.unchecked.length === 0 ? [] : ['Nothing checked this run.'];
  // The reason of `agent_unavailable` already names the agents.
  const away = ended.ending === 'agent_unavailable' ? [] : ended.away.map(awayText);
  return [...unchecked, endText(ended), ...away].join(' ');
}

function endText({ ending, reason, counts, open, resume, incident }: Ended): string {
  if (ending === null) return `Running: ${counts}`;
  if (open.length === 0 || ending === 'all_done' || PLAIN.has(reason)) return counts;
  if (ending === 'emergency_stop' && incident !== null && incident.resolved !== null)
    return `${incident.id} stopped the run, and is resolved (${incident.resolved.option}).`;
  if (ending !== 'break' || resume === null) return reason;
  const isOne = open.some(({ status }) => status === 'blocked');
  return `${reason} ${isOne ? 'See one, then' : 'To continue'}: ${resume}`;
}

/** Maximum number of characters of a service's message in the first line of a report. */
const MESSAGE_CHARS = 160;

function awayText({ agent, by, unavailable }: AgentAway): string {
  const { kind, message, until, resetKnown } = unavailable;
  const { words, helps } = CONSEQUENCES[kind];
  const quoted = shortened(onOneLine(message).trim().replace(/\.$/, ''), MESSAGE_CHARS);
  const ends = resetKnown && until !== null ? `, until ${until}` : '';
  const worked = by === null ? '' : `, so ${by} did`;
  return `${agent} couldn't work${worked}: ${words} (${quoted})${ends}. What helps: ${helps(agent)}`;
}
