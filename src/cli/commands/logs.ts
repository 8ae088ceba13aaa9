import type { Command } from 'commander';
import type { LogsResult } from '../../app/commands/logs.ts';
import type { followLogs } from '../../app/records/follow-logs.ts';
import { printable, type Terminal, terminalOf } from '../../io/ui/index.ts';
import { type Call, calling, type Examples } from '../call.ts';
import { attemptText, endLines, entryLines, failedText, headText } from '../render/transcript.ts';

export const examples: Examples = {
  logs: ['logs', 'logs 4', 'logs T-3', 'logs --follow'],
};

export function define(program: Command): void {
  program
    .command('logs')
    .argument('[what]', 'number of an iteration, or a task; the newest attempt by default')
    .option('--task <id>', 'all attempts at this task')
    .option('-f, --follow', 'print it as it grows, until no run is active any more')
    .option('--failed', 'only what failed the attempt: the output of its gates, or the errors of the agent')
    .option('--raw', 'the output as the agent printed it')
    .option('--prompt', 'the prompt that the agent got')
    .action(calling(run, false));
}

type LogsOptions = {
  readonly task?: string;
  readonly follow?: boolean;
  readonly raw?: boolean;
  readonly failed?: boolean;
  readonly prompt?: boolean;
};

export async function run(call: Call, which: string | null = null, options: LogsOptions = {}) {
  const { logs } = await import('../../app/commands/logs.ts');
  const { task = null, follow = false, raw = false, failed = false, prompt = false } = options;
  const show = raw ? 'raw' : prompt ? 'prompt' : failed ? 'failed' : 'transcript';
  const input = { ...call, which, task, show } as const;
  if (follow && call.format !== 'json') return followed(call, input);
  await call.print(await logs(input), logsText, show !== 'transcript');
}

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

/** Prints the current attempt while it runs, then later attempts, until no run is active. */
async function followed(call: Call, input: Parameters<typeof followLogs>[0]) {
  const { followLogs } = await import('../../app/records/follow-logs.ts');
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
