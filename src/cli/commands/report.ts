import { listRuns, type ReportListResult, type ReportResult, report } from '../../app/commands/report.ts';
import { failure } from '../../app/result.ts';
import type { RunReport } from '../../domain/run-report.ts';
import { dateTime, reportMarkdown, reportText, type Terminal } from '../../io/ui/index.ts';
import { formatDuration } from '../../lib/duration.ts';
import { camelKeys } from '../../lib/snake-keys.ts';
import type { Call } from '../call.ts';
import { sinceOf } from '../until-of.ts';

type ReportOptions = {
  readonly since?: string;
  readonly list?: boolean;
  readonly html?: string;
  /** `true`: any port that is free. */
  readonly serve?: number | true;
};

/** `ralph report` */
export async function run(
  call: Call,
  name: string | null = null,
  { since: given, list = false, html, serve }: ReportOptions = {},
) {
  if (list) return call.print(await listRuns(call), listText);
  const since = given === undefined ? null : sinceOf(given, new Date());
  if (given !== undefined && since === null)
    return call.print(
      failure(`"${given}" isn't a time; use 18:00, 8h or 2030-01-31T18:00`, 'ralph report --help', 2),
      () => '',
    );
  // What is piped is read by a program.
  const read = call.format === 'text' && process.stdout.isTTY === true;
  const input = { ...call, run: name, since, read };
  // What makes pages is loaded where one is wanted.
  if (serve !== undefined) {
    const { serve: serveIt } = await import('./report-page.ts');
    return serveIt(call, input, serve === true ? 0 : serve);
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
    ending === null ? '-' : ending.replaceAll('_', ' '),
  ]);
  return table(rows, ['run', 'started', 'took', 'iterations', 'done', 'blocked', 'ended']);
}

/** As the loop has it: one function prints both. */
function asReport(data: ReportResult): RunReport {
  return camelKeys(data) as RunReport;
}
