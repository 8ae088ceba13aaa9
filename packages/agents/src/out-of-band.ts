import type { AgentEvent, ProcessEnd } from './event.ts';
import { failureEvents } from './failure.ts';
import { isWordsAlone } from './known.ts';
import type { AgentAdapter, Aside } from './protocol.ts';
import { hasStatusBlock, messageOf, type ReportSoFar } from './report.ts';
import { isSurelyOfService } from './service.ts';

/** Information that an agent left outside its stream. */
type OutOfBand = {
  readonly end: ProcessEnd;
  /** Last lines that the agent's program wrote to standard error. */
  readonly errorTail: string;
  /** End of its session log; empty without one. */
  readonly log: string;
  /** Time of the last progress in epoch milliseconds; earlier log entries no longer matter. */
  readonly workedAt: number;
};

type Events = readonly AgentEvent[];

/** Returns what an agent reports of its service outside its stream, when the stream has nothing. */
export function outOfBandEvents(adapter: AgentAdapter, report: ReportSoFar, aside: OutOfBand): Events {
  const text = messageOf(report);
  const found = byYourWords(adapter, [aside.errorTail, text].flatMap(lastOf));
  if (found.length > 0 || report.pending?.fatal === true) return found;
  if (isWordsAlone(adapter.output) && adapter.hook === null) return plainEvents(adapter.aside, text, aside);
  const { end, log, workedAt } = aside;
  const isWell = end.kind === 'exited' && end.code === 0 && !report.failed;
  // The log has the status of a retried call, which a stream may lack.
  if (report.pending !== null)
    return isWell ? [] : (adapter.log?.read(log, workedAt, report.sessionId ?? '') ?? []);
  const hasBegun = report.toolCalls > 0 || text !== '';
  // Some programs always exit with 0, so an attempt that never began isn't success.
  if (isWell && (hasBegun || report.usage.length > 0)) return [];
  const logged = adapter.log?.read(log, workedAt, report.sessionId ?? '') ?? [];
  return logged.length > 0 ? logged : errorEvents(adapter.aside, hasBegun, aside);
}

/** Lines of standard error count only for an attempt that never began, since tools write there later. */
function errorEvents(said: Aside | undefined = {}, hasBegun: boolean, { end, errorTail }: OutOfBand): Events {
  const { cannotBegin, exitAnswer, answers: rows } = said;
  const own = hasBegun ? undefined : errorTail.split('\n').find((line) => cannotBegin?.test(line));
  const answer = end.kind === 'exited' ? (exitAnswer?.(end.code) ?? null) : null;
  if (answer !== null) {
    const { status, words } = answer;
    return failureEvents({ status, message: own ?? words, own: rows, fatal: true });
  }
  return own === undefined ? [] : failureEvents({ status: null, message: own, own: rows, fatal: true });
}

function retryEvents(pattern: RegExp, line: string): Events {
  const [, attempt, status] = pattern.exec(line) ?? [];
  if (status === undefined) return [];
  const retry = { attempt: Number(attempt) };
  return failureEvents({ status: Number(status), message: line, fatal: false, retry });
}

/**
 * Opens readers of what an agent reports outside its stream. `errorLine` takes lines of standard error, `log` the log's
 * end (`AgentLog`) and the time of the last progress; both are `null` when the program has none.
 */
export function openOutOfBand(adapter: AgentAdapter): {
  readonly errorLine: ((line: string) => Events) | null;
  readonly log: ((text: string, workedAt: number, session: string) => Events) | null;
} {
  const { log } = adapter;
  const retries = adapter.aside?.retries;
  let known = '';
  return {
    errorLine: retries === undefined ? null : (line) => retryEvents(retries, line),
    log:
      log === undefined
        ? null
        : (text, workedAt, session) => {
            const events = log.read(text, workedAt, session);
            // The log reader returns the newest entry each time.
            const now = JSON.stringify(events);
            if (now === known) return [];
            known = now;
            return events.filter((event) => event.kind === 'error' && event.retry !== undefined);
          },
  };
}

/** Number of last lines searched for the cause of the end. */
const LAST_LINES = 5;

function lastOf(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-LAST_LINES);
}

/** Uses your patterns whatever the exit code, as many agents end with 0. A status block is longer than these lines. */
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

/** Beginning of a program's line about its own failure. */
const ERROR_LINE = /^\W{0,4}(?:(?:fatal|api)?[ _]?err(?:or)?\b|fatal:|\{\s*"(?:type|error)"\s*:)/i;

/** Reads standard error of a failed plain-text agent: the program's own form, or words that only a service uses. */
function plainEvents(said: Aside | undefined = {}, text: string, { end, errorTail }: OutOfBand): Events {
  if (end.kind !== 'exited' || end.code === 0 || hasStatusBlock(text)) return [];
  const lines = lastOf(errorTail);
  const own =
    lines.find((line) => said.cannotBegin?.test(line)) ??
    lines
      .filter((line) => ERROR_LINE.test(line))
      .find((words) => isSurelyOfService({ status: null, words, own: said.answers }));
  return own === undefined
    ? []
    : failureEvents({ status: null, message: own.trim(), own: said.answers, fatal: true });
}
