import { type LogsResult, logs } from '../../app/commands/logs.ts';
import { followLogs } from '../../app/records/follow-logs.ts';
import { printable, type Terminal, terminalOf } from '../../io/ui/index.ts';
import type { Call } from '../call.ts';
import { attemptText, endLines, entryLines, failedText, headText } from '../render/transcript.ts';

type LogsOptions = {
  readonly task?: string;
  readonly follow?: boolean;
  readonly raw?: boolean;
  readonly failed?: boolean;
  readonly prompt?: boolean;
};

/** `ralph logs` */
export async function run(call: Call, which: string | null = null, options: LogsOptions = {}) {
  const { task = null, follow = false, raw = false, failed = false, prompt = false } = options;
  const show = raw ? 'raw' : prompt ? 'prompt' : failed ? 'failed' : 'transcript';
  const input = { ...call, which, task, show } as const;
  if (follow && call.format !== 'json') return followed(call, input);
  await call.print(await logs(input), logsText, show !== 'transcript');
}

/** The attempts one after the other. */
export function logsText({ attempts, gone }: LogsResult, terminal: Terminal): string {
  const texts = attempts.map((attempt) => {
    if (attempt.show === 'raw') return attempt.output.trimEnd() || '(the agent printed nothing)';
    if (attempt.show === 'prompt') return attempt.prompt.trimEnd();
    if (attempt.show === 'failed') return failedText(attempt, terminal);
    return attemptText(attempt, terminal);
  });
  const note = gone === 0 ? [] : [terminal.style.dim(`(the files of ${gone} earlier attempts were removed)`)];
  return [...note, ...texts].join('\n\n');
}

/** Prints an attempt while it runs, and those after it, until nothing runs any more. */
async function followed(call: Call, input: Parameters<typeof followLogs>[0]) {
  const terminal = terminalOf(process.stdout, !call.color);
  const write = (lines: readonly string[]) => {
    if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
  };
  const result = await followLogs(input, {
    onAttempt: (attempt) => write([headText(printable(attempt), terminal), '']),
    onEntries: (entries, agent) =>
      write(printable(entries).flatMap((entry) => entryLines(entry, agent, terminal))),
    onEnd: (attempt) => write([...endLines({ ...printable(attempt), show: 'transcript' }, terminal), '']),
  });
  await call.print(result, () => '');
}
