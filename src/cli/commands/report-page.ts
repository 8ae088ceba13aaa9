import { counted } from 'ralph-kit/counted';
import type { ReportInput } from '../../app/commands/report.ts';
import type { PageResult } from '../../app/commands/report-page.ts';
import type { Call } from '../call.ts';

/** Writes the report as a page. It isn't marked as read. */
export async function write(call: Call, input: ReportInput, file: string) {
  const { writePage } = await import('../../app/commands/report-page.ts');
  const { reportPage } = await import('../render/page/report-page.ts');
  await call.print(await writePage({ ...input, read: false }, file, reportPage), writtenText);
}

function writtenText({ html, bytes, runs, iterations }: PageResult): string {
  const size = bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${html}: ${counted(runs.length, 'run')}, ${counted(iterations, 'iteration')}, ${size}`;
}
