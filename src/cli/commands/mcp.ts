import type { Command } from 'commander';
import { oneByOne } from 'ralph-kit/one-by-one';
import * as z from 'zod/mini';

import { type CommandResult, failure } from '../../app/result.ts';

import { VERSION } from '../../app/version.ts';
import { exitCodeOf } from '../../domain/exit.ts';
import { actionOf, type Call, type Examples } from '../call.ts';
import { envelope } from '../print.ts';
import { sinceOf } from '../until-of.ts';

export const examples: Examples = {
  mcp: ['mcp'],
};

export function define(program: Command): void {
  program
    .command('mcp')
    .description(
      'serve verify, tasks, status and report to an agent, as tools over standard input and output',
    )
    .action(actionOf(run, false));
}

const text = (about: string) => z.optional(z.string().check(z.describe(about)));
const yes = (about: string) => z.optional(z.boolean().check(z.describe(about)));

const NOTHING = z.strictObject({});
const REPORT = z.strictObject({
  run: text('a run, by its name; default: everything since your last report'),
  since: text('all runs that ended after this: 18:00, 8h or 2030-01-31T18:00'),
});
/** Parameters of the tool `verify`: the options of `ralph verify`, without those that approve commands. */
const VERIFY = z.strictObject({
  range: text(
    'BASE..HEAD; default: what is not committed, else the branch (on main: unpushed commits, else the last one)',
  ),
  branch: text('a branch, since the main one'),
  pr: z.optional(z.int().check(z.positive(), z.describe('a pull request, by gh'))),
  staged: yes('what is staged'),
  dirty: yes('the work tree as it is'),
  task: text('the id of the task that it is to do'),
  text: text('what was asked for'),
  criteria: text('a file with criteria and checks, one a line'),
  report: text('what is said of the work: its evidence is checked'),
});

/** Answer to a request that hadn't started when the server was stopped. */
const STOPPED = failure('Stopped.', null);

/**
 * Serves commands that only read as tools of the Model Context Protocol. Each tool answers with the command's `--json`
 * document.
 */
export async function run({ cwd }: Call): Promise<void> {
  const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js');
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  const { report } = await import('../../app/commands/report.ts');
  const { status } = await import('../../app/commands/status.ts');
  const { tasks } = await import('../../app/commands/tasks.ts');
  const server = new McpServer({ name: 'ralph', version: VERSION });
  const gone = new AbortController();
  // Requests run one after the other, because copies of the work tree are named for the process.
  const inTurn = oneByOne();
  const tool = <S extends z.ZodMiniObject>(
    name: string,
    description: string,
    inputSchema: S,
    answer: (input: z.output<S>, signal: AbortSignal) => Promise<CommandResult>,
  ) => {
    const give = async (input: z.output<S>, { signal }: { readonly signal: AbortSignal }) =>
      asContent(name, await inTurn(() => (gone.signal.aborted ? STOPPED : answer(input, signal))));
    const annotations = { readOnlyHint: true };
    server.registerTool(name, { description, inputSchema, annotations }, give as never);
  };
  tool(
    'verify',
    'Whether work is done: what the gates say before and after it, and whether they would notice if it were missing.',
    VERIFY,
    (asked, signal) => verifyAs(cwd, asked, AbortSignal.any([signal, gone.signal])),
  );
  tool('tasks', 'The list of tasks with the status of each.', NOTHING, () => tasks({ cwd }));
  tool('status', 'The active run, counts of tasks, what is next, and what waits for the user.', NOTHING, () =>
    status({ cwd }),
  );
  tool('report', 'What a run did and what is left.', REPORT, async ({ run = null, since }) => {
    const from = since === undefined ? null : sinceOf(since, new Date());
    if (since !== undefined && from === null)
      return failure(`"${since}" isn't a time.`, 'Use 18:00, 8h or 2030-01-31T18:00.');
    return report({ cwd, run, since: from, read: false });
  });
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.exitCode = exitCodeOf(signal);
      void server.close();
    });
  }
  await server.connect(new StdioServerTransport());
  await new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    server.server.onclose = resolve;
  });
  gone.abort();
  await inTurn(() => undefined);
}

async function verifyAs(cwd: string, asked: z.output<typeof VERIFY>, signal: AbortSignal) {
  const { verify } = await import('../../app/commands/verify.ts');
  const { refuseInside } = await import('../../app/setup/refuse-inside.ts');
  const refused = await refuseInside({ cwd, name: 'ralph verify', argv: ['verify'] });
  if (refused !== null) return refused;
  const { range = null, branch = null, pr = null, staged = false, dirty = false } = asked;
  const { task = null, text = null, criteria = null, report: claims = null } = asked;
  return verify({
    cwd,
    what: { range, branch, pr, staged, dirty },
    demands: { task, text, criteria },
    report: claims,
    // Only you can approve commands, at a terminal.
    trust: { kind: 'check', ask: null },
    forAgent: true,
    signal,
  });
}

function asContent(name: string, result: CommandResult) {
  const body = result.ok ? result.data : { error: { message: result.message, next: result.next } };
  const content = [{ type: 'text' as const, text: envelope(name, result.exitCode, body) }];
  return { content, isError: !result.ok };
}
