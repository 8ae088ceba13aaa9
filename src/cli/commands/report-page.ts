import type { ReportInput } from '../../app/commands/report.ts';
import { type PageResult, serveReport, writePage } from '../../app/commands/report-page.ts';
import { counted } from '../../lib/counted.ts';
import type { Call } from '../call.ts';
import { reportPage } from '../render/page/report-page.ts';

/** `ralph report --html FILE`: it isn't read by that yet. */
export async function write(call: Call, input: ReportInput, file: string) {
  await call.print(await writePage({ ...input, read: false }, file, reportPage), writtenText);
}

function writtenText({ html, bytes, runs, iterations }: PageResult): string {
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${html}: ${counted(runs.length, 'run')}, ${counted(iterations, 'iteration')}, ${size}`;
}

/** `ralph report --serve`: until Ctrl-C. */
export async function serve(call: Call, input: ReportInput, port: number) {
  const stop = new AbortController();
  const end = () => stop.abort();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  const served = await serveReport(input, {
    ...{ port, stop: stop.signal },
    render: (report, on, fleet) => reportPage(report, { on }, fleet),
    onReady: (url) => process.stdout.write(readyText(call, url, 'read the report')),
  });
  if (!served.ok) await call.print(served, () => '');
}

/** As JSON: a line for whoever reads it while it is served. */
export function readyText({ format }: Call, url: string, what: string): string {
  if (format === 'json') return `${JSON.stringify({ url })}\n`;
  return `${url}\nWhoever has this address can ${what}. Ctrl-C ends it.\n`;
}
