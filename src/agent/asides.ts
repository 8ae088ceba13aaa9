import type { AgentAdapter, AgentEvent } from '../domain/agent.ts';
import { failureEvents } from './failure.ts';
import type { ReportSoFar } from './report.ts';

/** What an agent left outside of its stream in an attempt that didn't end well. */
type Aside = {
  /** Last lines of standard error. */
  readonly errorTail: string;
  /** End of its log of the session; empty where it has none. */
  readonly log: string;
  /** When it last got anywhere, epoch milliseconds: what its log says of the time before is over. */
  readonly workedAt: number;
};

/**
 * What an agent says of its service elsewhere than in its stream, where that says nothing. Its standard error counts for an
 * attempt that never began: later there is noise of its tools on it.
 */
export function asideEvents(
  { ownWords, log }: Pick<AgentAdapter, 'ownWords' | 'log'>,
  report: ReportSoFar,
  aside: Aside,
): readonly AgentEvent[] {
  if (report.pending !== null) return [];
  const logged = log?.read(aside.log, aside.workedAt, report.sessionId ?? '') ?? [];
  if (logged.length > 0 || ownWords === undefined || report.toolCalls > 0 || report.open) return logged;
  const words = aside.errorTail.split('\n').find((line) => ownWords.test(line));
  return words === undefined ? [] : failureEvents({ status: null, message: words, fatal: true });
}

/** Last lines of an agent, in which it says why it ended. */
const LAST_LINES = 5;

/**
 * What the last lines of plain text say of its service, by the words that you gave for it; whatever the exit code, as many
 * agents end with 0. A status block at the end is longer than what is read.
 */
export function troubleEvents(
  { trouble }: Pick<AgentAdapter, 'trouble'>,
  { text, errorTail }: { readonly text: string; readonly errorTail: string },
): readonly AgentEvent[] {
  if (trouble === undefined) return [];
  const lines = [errorTail, text].flatMap((part) =>
    part
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(-LAST_LINES),
  );
  const matching = (words: RegExp | null) =>
    words === null ? undefined : lines.find((line) => words.test(line))?.trim();
  const [limit, outage] = [matching(trouble.limit), matching(trouble.outage)];
  if (limit !== undefined)
    return [
      { kind: 'limit', message: limit, resetsAt: null, inWords: true },
      { kind: 'error', cause: 'rate_limited', message: limit, fatal: true },
    ];
  return outage === undefined ? [] : [{ kind: 'error', cause: 'outage', message: outage, fatal: true }];
}
