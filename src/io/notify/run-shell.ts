import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GateOutcome } from '../../domain/gate.ts';
import type { Clock, Proc, StopSignal } from '../../domain/ports.ts';
import { shellQuote } from '../../lib/shell-quote.ts';
import { unreachable } from '../../lib/unreachable.ts';
import { openProc } from '../proc/index.ts';
import type { Try } from './channel.ts';

export type ShellRequest = {
  /** A command line for the shell, run as it is. */
  readonly command: string;
  /** What it is called in an error. */
  readonly name: string;
  readonly input: string;
  readonly cwd: string;
  readonly timeoutMs: number;
};

export type RunShell = (request: ShellRequest) => Promise<Try>;

/** A notification about a stop is sent although ralph is stopping: its own time limit ends it. */
const NEVER: StopSignal = {
  polite: new AbortController().signal,
  forced: new AbortController().signal,
  reason: () => null,
};

/** Runs command lines with a text on standard input, supervised as a gate is: nothing of them stays alive. */
export function openShell(options: {
  readonly clock: Clock;
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
}): RunShell {
  const proc = openProc(options);
  return async (request) => {
    const folder = mkdtempSync(join(tmpdir(), 'ralph-notify-'));
    try {
      return await runIn(folder, proc, request);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

async function runIn(folder: string, proc: Proc, request: ShellRequest): Promise<Try> {
  const input = join(folder, 'input');
  writeFileSync(input, request.input, { mode: 0o600 });
  // In a shell of its own, so that whatever it is made of, all of it reads the input.
  const run = `exec /bin/sh -c ${shellQuote(request.command)} < ${shellQuote(input)}`;
  const { outcome, outputTail } = await proc.runGate(
    {
      name: request.name,
      run,
      timeoutMs: request.timeoutMs,
      onMissing: 'fail',
      paths: null,
      required: false,
    },
    request.cwd,
    join(folder, 'output.log'),
    NEVER,
  );
  const error = reasonOf(outcome, request);
  if (error === null) return { ok: true };
  const said = outputTail.trim().split('\n').at(-1) ?? '';
  const again = outcome.kind !== 'tool_missing';
  return { ok: false, error: said === '' ? error : `${error}: ${said.slice(0, 300)}`, again };
}

function reasonOf(outcome: GateOutcome, { name, timeoutMs }: ShellRequest): string | null {
  switch (outcome.kind) {
    case 'passed':
      return null;
    case 'failed':
      return outcome.exitCode === null
        ? `${name} was ended by ${outcome.signal}`
        : `${name} ended with exit code ${outcome.exitCode}`;
    case 'timed_out':
      return `${name} took over ${timeoutMs / 1000} s and was ended`;
    case 'tool_missing':
      return `${name} needs ${outcome.tool}, which was not found`;
    case 'skipped':
      return `${name} was not run: ${outcome.reason}`;
    default:
      return unreachable(outcome);
  }
}
