import type { AgentAdapter, AgentEnd, AgentEvent } from '../domain/agent.ts';
import { isWordsAlone } from '../lib/agents.ts';
import { failureEvents } from './failure.ts';
import { ADAPTERS } from './registry.ts';
import { hasStatusBlock, messageOf, type ReportSoFar } from './report.ts';
import { exitAnswer, isSurelyOfService, OWN_LINES, RETRY_LINES } from './service.ts';

/** What an agent left outside of its stream. */
type Aside = {
  readonly end: AgentEnd;
  /** Last lines of standard error. */
  readonly errorTail: string;
  /** When the last of them was written, epoch milliseconds; `null`: there is none. */
  readonly errorAt: number | null;
  /** End of its log of the session; empty where it has none. */
  readonly log: string;
  /** When it last got anywhere, epoch milliseconds: what is line of the time before is over. */
  readonly workedAt: number;
};

type Events = readonly AgentEvent[];

/** What an agent says of its service elsewhere than in its stream, where that says nothing. */
export function asideEvents(adapter: AgentAdapter, report: ReportSoFar, aside: Aside): Events {
  const text = messageOf(report);
  const found = byYourWords(adapter, [aside.errorTail, text].flatMap(lastOf));
  if (found.length > 0 || report.pending !== null) return found;
  if (isWordsAlone(adapter.output) && adapter.hook === null) return plainEvents(adapter.name, text, aside);
  const { end, log, workedAt } = aside;
  const isWell = end.kind === 'exited' && end.code === 0 && !report.failed;
  const hasBegun = report.toolCalls > 0 || text !== '';
  // Some programs end with 0 whatever happened: what doesn't even begin is no work.
  if (isWell && (hasBegun || report.usage.length > 0)) return [];
  const logged = adapter.log?.read(log, workedAt, report.sessionId ?? '') ?? [];
  return logged.length > 0 ? logged : errorEvents(programOf(adapter), hasBegun, aside);
}

/** Whose form the output has: a command of found may print that of a built-in agent. */
function programOf({ name, output }: AgentAdapter): string {
  return Object.values(ADAPTERS).find((agent) => agent.output === output)?.name ?? name;
}

/** What standard error and exit code say. The lines count for an attempt that never began: later there is noise of tools. */
function errorEvents(
  program: string,
  hasBegun: boolean,
  { end, errorTail, errorAt, workedAt }: Aside,
): Events {
  const lines = errorTail.split('\n');
  const own = hasBegun ? undefined : lines.find((line) => OWN_LINES[program]?.test(line));
  const answer = end.kind === 'exited' ? exitAnswer(program, end.code) : null;
  if (answer !== null) {
    const { status, words } = answer;
    return failureEvents({ program, status, message: own ?? words, fatal: true });
  }
  if (own !== undefined) return failureEvents({ program, status: null, message: own, fatal: true });
  const retry = RETRY_LINES[program];
  const last = retry === undefined ? undefined : lines.findLast((line) => retry.test(line));
  if (last === undefined || errorAt === null || errorAt < workedAt) return [];
  return failureEvents({ program, status: Number(retry?.exec(last)?.[1]), message: last, fatal: false });
}

/** Last lines of an agent, in which it says why it ended. */
const LAST_LINES = 5;

function lastOf(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-LAST_LINES);
}

/**
 * What the last lines say of the service, by the words that you gave for it; whatever the exit code, as many agents end with 0. A
 * status block at the end is longer than what is read.
 */
function byYourWords({ trouble }: AgentAdapter, lines: readonly string[]): Events {
  const matching = (words: RegExp | null | undefined) =>
    words == null ? undefined : lines.find((line) => words.test(line))?.trim();
  const [limit, outage] = [matching(trouble?.limit), matching(trouble?.outage)];
  if (limit !== undefined)
    return [
      { kind: 'limit', message: limit, resetsAt: null, inWords: true },
      { kind: 'error', cause: 'rate_limited', message: limit, fatal: true },
    ];
  return outage === undefined ? [] : [{ kind: 'error', cause: 'outage', message: outage, fatal: true }];
}

/** How a program begins a line about its own failure. */
const ERROR_LINE = /^\W{0,4}(?:(?:fatal|api)?[ _]?err(?:or)?\b|fatal:|\{\s*"(?:type|error)"\s*:)/i;

/** Events of an agent that prints plain text and failed without a status block: errors on standard error, in words that only a service uses. */
function plainEvents(program: string, text: string, { end, errorTail }: Aside): Events {
  if (end.kind !== 'exited' || end.code === 0 || hasStatusBlock(text)) return [];
  const own = lastOf(errorTail)
    .filter((line) => ERROR_LINE.test(line))
    .find((words) => isSurelyOfService({ program, status: null, words }));
  return own === undefined ? [] : failureEvents({ program, status: null, message: own.trim(), fatal: true });
}
