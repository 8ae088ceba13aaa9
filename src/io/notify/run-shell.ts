import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box } from 'ralph-box';
import { match } from 'ralph-kit/match';
import { shellQuote } from 'ralph-kit/shell-quote';
import type { GateOutcome, GateRun, GateSpec } from '../../domain/gate.ts';
import type { StopSignal } from '../../domain/ports.ts';
import { openProc } from '../proc/index.ts';
import { type NotifyOptions, TRY_MS, type Try } from './channel.ts';

export type ShellRequest = {
  /** A command line for the shell, run as it is. */
  readonly command: string;
  readonly name: string;
  readonly input: string;
};

export type RunShell = (request: ShellRequest) => Promise<Try>;

/** The stop of a run doesn't end this command, which may tell you of that stop; its own time limit does. */
const NEVER: StopSignal = {
  polite: new AbortController().signal,
  forced: new AbortController().signal,
  reason: () => null,
};

/** Runs command lines with a text on standard input, supervised as a gate is: nothing of them stays alive. */
export function openShell(options: NotifyOptions): RunShell {
  const timeoutMs = options.tryMs ?? TRY_MS;
  return async ({ command, name, input }) => {
    const folder = mkdtempSync(join(tmpdir(), 'ralph-notify-'));
    try {
      const isBoxed = options.runsRepository(command);
      const proc = openProc({ ...options, box: isBoxed ? seeing(options.box, folder, command) : null });
      const file = join(folder, 'input');
      writeFileSync(file, input, { mode: 0o600 });
      // The command line runs in a shell of its own, so that each of its parts reads the same standard input.
      const run = `exec /bin/sh -c ${shellQuote(command)} < ${shellQuote(file)}`;
      const spec = {
        name,
        run,
        timeoutMs,
        onMissing: 'fail',
        paths: null,
        required: false,
        box: isBoxed,
        parses: [],
        heldOut: null,
      } satisfies GateSpec;
      const place = { cwd: options.root, copy: null };
      return tryOf(await proc.runGate(spec, place, join(folder, 'output.log'), NEVER), timeoutMs);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}

/**
 * The box of a command that runs a file of the repository. An agent may have written that file, so it gets
 * only those of your variables that the command line names.
 */
function seeing(box: Box | null, folder: string, command: string): Box | null {
  if (box === null) return null;
  const inherits = { which: 'ordinary', additional: command.match(/\b[A-Z][A-Z0-9_]+\b/g) ?? [] } as const;
  return { ...box, open: (launch) => box.open({ ...launch, role: 'module', visible: [folder], inherits }) };
}

function tryOf({ name, outcome, outputTail }: GateRun, timeoutMs: number): Try {
  const error = reasonOf(outcome, name, timeoutMs);
  if (error === null) return { ok: true };
  const lastLine = outputTail.trim().split('\n').at(-1) ?? '';
  const isRetryable = outcome.kind !== 'tool_missing';
  return { ok: false, error: lastLine === '' ? error : `${error}: ${lastLine.slice(0, 300)}`, isRetryable };
}

function reasonOf(outcome: GateOutcome, name: string, timeoutMs: number): string | null {
  return match(outcome, 'kind', {
    passed: () => null,
    failed: (outcome) =>
      outcome.exitCode === null
        ? `${name} was ended by ${outcome.signal}`
        : `${name} ended with exit code ${outcome.exitCode}`,
    timed_out: () => `${name} took over ${timeoutMs / 1000} s and was ended`,
    tool_missing: (outcome) => `${name} needs ${outcome.tool}, which was not found`,
    skipped: (outcome) => `${name} was not run: ${outcome.reason}`,
  });
}
