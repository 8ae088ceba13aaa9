import { type ReportResult, report } from '../../app/commands/report.ts';
import type { RunReport } from '../../domain/run-report.ts';
import { reportText } from '../../io/ui/index.ts';
import { camelKeys } from '../../lib/snake-keys.ts';
import type { Call } from '../call.ts';
import { reportMarkdown } from '../render/report-markdown.ts';

/** `ralph report` */
export async function run(call: Call, name: string | null = null) {
  const result = await report({ ...call, run: name });
  const isMarkdown = call.format === 'markdown';
  await call.print(
    result,
    (data, terminal) => (isMarkdown ? reportMarkdown(asReport(data)) : reportText(asReport(data), terminal)),
    isMarkdown,
  );
}

/** As the loop has it: one function prints both. */
function asReport(data: ReportResult): RunReport {
  return camelKeys(data) as RunReport;
}
