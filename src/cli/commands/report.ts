import { formatDuration } from 'ralph-kit/duration';
import { camelKeys } from 'ralph-kit/snake-keys';
import type { ReportListResult, ReportResult } from '../../app/commands/report.ts';
import { failure } from '../../app/result.ts';
import type { RunReport } from '../../domain/run-report.ts';
import { reportMarkdown, reportText, type Terminal } from '../../io/ui/index.ts';
import { dateTime, endingWord } from '../../tell/index.ts';
import type { Call } from '../call.ts';
import { sinceOf } from '../until-of.ts';

export type ReportOptions = {
  readonly since?: string;
  readonly list?: boolean;
  readonly html?: string;
  /** Port of the served page; `true`: any free port. */
  readonly serve?: number | true;
};

/** Serves a report, read-only, until Ctrl-C. */
type ServeReport = (
  call: Call,
  report: { readonly run: string | null; readonly since: Date | null },
  port: number,
) => Promise<void>;

export async function run(
  call: Call,
  name: string | null,
  { since: given, list = false, html, serve }: ReportOptions,
  serveReport: ServeReport,
) {
  const { listRuns, report } = await import('../../app/commands/report.ts');
  if (list) return call.print(await listRuns(call), listText);
  const since = given === undefined ? null : sinceOf(given, new Date());
  if (given !== undefined && since === null)
    return call.print(
      failure(`"${given}" isn't a time; use 18:00, 8h or 2030-01-31T18:00`, 'ralph report --help', 2),
      () => '',
    );
  // If the output is piped, a program reads it, so only a report on a terminal is marked as read.
  const read = call.format === 'text' && process.stdout.isTTY === true;
  const input = { ...call, run: name, since, read };
  // Code for pages is only loaded if a page is requested.
  if (serve !== undefined) {
    return serveReport(call, { run: name, since }, serve === true ? 0 : serve);
  }
  if (html !== undefined) {
    const { write } = await import('./report-page.ts');
    return write(call, input, html);
  }
  const result = await report(input);
  const isMarkdown = call.format === 'markdown';
  await call.print(
    result,
    (data, terminal) => (isMarkdown ? reportMarkdown(asReport(data)) : reportText(asReport(data), terminal)),
    isMarkdown,
  );
}

function listText({ runs }: ReportListResult, { table }: Terminal): string {
  if (runs.length === 0) return 'No run is on record yet.';
  const rows = runs.map(({ run, started_at, duration_ms, iterations, done, blocked, ending }) => [
    run,
    dateTime(started_at),
    formatDuration(duration_ms),
    String(iterations),
    String(done.length),
    String(blocked.length),
    endingWord(ending, '-'),
  ]);
  return table(rows, ['run', 'started', 'took', 'iterations', 'done', 'blocked', 'ended']);
}

function asReport(data: ReportResult): RunReport {
  return camelKeys(data) as RunReport;
}
