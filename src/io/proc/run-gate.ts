import { closeSync, fstatSync } from 'node:fs';
import { boxOf } from 'ralph-box';
import { launch } from 'ralph-box/launch/launch';
import type { LaunchRequest } from 'ralph-box/launch/running';
import { endLog, openRawLog } from 'ralph-kit/files/raw-log';
import { match } from 'ralph-kit/match';
import { isAtOrBelow, withFolder } from 'ralph-kit/paths';
import { endOf, keepEnds, readTailOf } from 'ralph-kit/programs/output/read-tail';
import type { Environment } from 'ralph-kit/programs/start/resolve-executable';
import type { GateOutcome, GateRun, GateSpec } from '../../domain/gate.ts';
import type { ProgramPlace, StopSignal } from '../../domain/ports.ts';
import { watchReports } from './read-reports.ts';
import type { ProcOptions } from './run-agent.ts';
import { type Cause, supervise } from './supervise.ts';

const SHELL = '/bin/sh';

/** Milliseconds from SIGTERM to SIGKILL, as for agents. */
const GATE_GRACE_MS = 5000;

/**
 * Runs a gate to its end. @throws When the log can't be opened: a gate without a record must not pass. @see
 * Proc.runGate
 */
export async function runGate(
  options: ProcOptions,
  spec: GateSpec,
  place: ProgramPlace,
  logFile: string,
  stop: StopSignal,
): Promise<GateRun> {
  const { clock } = options;
  const begin = clock.monotonicMs();
  const { copy, role = 'gate', opened } = place;
  const isShown = copy !== null && spec.box && options.box !== null;
  // Programs outside the box, and daemons, see the copy at its own path.
  const cwd = copy === null || isShown ? place.cwd : copy.files;
  const reports = watchReports(copy?.files ?? cwd, spec.parses);
  const result: Ended = (outcome, { text, whole }) => ({
    name: spec.name,
    outcome,
    durationMs: clock.monotonicMs() - begin,
    outputTail: endOf(text),
    printed: { text, whole },
    written: reports(),
  });
  if (stop.polite.aborted || stop.forced.aborted) return result(stopped(stop.reason()), NOTHING);

  const log = openRawLog(logFile);
  const named = copy === null || isShown ? null : nameIn(copy.files, options);
  const ordinary = withoutOwnVariables(options.env);
  const env = { ...(named === null ? ordinary : mapped(ordinary, named)), ...options.ofWorker };
  const launch = {
    role,
    cwd,
    env,
    visible: [],
    home: null,
    agent: '',
    copy: copy ?? undefined,
    heldOut: spec.heldOut,
    extraVariables: Object.keys(options.ofWorker),
    opened,
  } as const;
  const box = boxOf(spec.box ? options.box : null, launch);
  try {
    const ran = named === null ? spec : { ...spec, run: named(spec.run) };
    return await attend(options, ran, { cwd, env, box: box.open }, log, stop, result);
  } finally {
    keepEnds(log);
    endLog(logFile, log, options.hide);
    closeSync(log);
    box.close();
  }
}

/** Replaces the checkout's path, for programs that see the copy at its own; `null`: nothing is replaced. */
function nameIn(files: string, { root, env }: ProcOptions): ((text: string) => string) | null {
  // Most paths aren't in the copy if the home folder is inside the checkout.
  if (env.HOME !== undefined && isAtOrBelow(env.HOME, root)) return null;
  return (text) => withFolder(text, root, files);
}

function mapped(env: Environment, map: (text: string) => string): Environment {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value && map(value)]));
}

type Ended = (outcome: GateOutcome, printed: GateRun['printed']) => GateRun;

const NOTHING: GateRun['printed'] = { text: '', whole: true };

/** Number of bytes of a gate's output in which tests are searched. */
const MOST_PRINTED = 8_000_000;

async function attend(
  options: ProcOptions,
  spec: GateSpec,
  place: Pick<LaunchRequest, 'cwd' | 'env' | 'box'>,
  log: number,
  stop: StopSignal,
  result: Ended,
): Promise<GateRun> {
  const launched = await launch(
    { argv: [SHELL, '-c', spec.run], ...place, stdin: null, stdout: log, stderr: log },
    options,
  );
  if (launched.kind === 'failed')
    return result({ kind: 'tool_missing', tool: SHELL }, { text: launched.message, whole: true });

  const { cause } = await supervise(
    {
      running: launched.running,
      limits: { wallMs: spec.timeoutMs, idleMs: 0, graceMs: GATE_GRACE_MS },
      stop,
      broken: new Promise(() => undefined),
      activity: { outputBytes: () => fstatSync(log).size, cpuMs: () => null },
    },
    options.clock,
  );
  const printed = { text: readTailOf(log, MOST_PRINTED), whole: fstatSync(log).size <= MOST_PRINTED };
  return result(gateOutcome(cause, spec.run, endOf(printed.text)), printed);
}

function gateOutcome(cause: Cause, command: string, output: string): GateOutcome {
  return match(cause, 'kind', {
    ended: (cause) => {
      const { exit } = cause;
      if (exit.kind === 'signalled') return { kind: 'failed', exitCode: null, signal: exit.signal };
      if (exit.code === 0) return { kind: 'passed' };
      const tool = missingTool(exit.code, command, output);
      if (tool !== null) return { kind: 'tool_missing', tool };
      return { kind: 'failed', exitCode: exit.code, signal: null };
    },
    timed_out: (cause) => ({ kind: 'timed_out', afterMs: cause.afterMs }),
    interrupted: (cause) => stopped(cause.signal),
    halted: () => notForGates('ended for what it does'),
    lingered: () => notForGates('asked for a result'),
    broken: (cause) => {
      throw cause.error;
    },
  });
}

function notForGates(what: string): never {
  throw new Error(`a gate is never ${what}`);
}

/** A stopped gate neither passed nor failed. */
function stopped(signal: string | null): GateOutcome {
  return { kind: 'skipped', reason: `ralph was stopped (${signal ?? 'SIGTERM'}) before this gate was over` };
}

/** Returns the environment without ralph's variables, so that a gate has the same result outside of ralph. */
export function withoutOwnVariables(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('RALPH_')));
}

/** POSIX shell exit codes: not executable, not found. */
const SHELL_CANNOT = new Set([126, 127]);

/** Returns the missing tool of a command by the shell's message (`sh: 1: foo: not found`), or `null`. */
export function missingTool(exitCode: number, command: string, output: string): string | null {
  if (!SHELL_CANNOT.has(exitCode)) return null;
  const lines = output.split('\n').reverse();
  for (const line of lines) {
    const match =
      /^(?:\S*sh: )?(?:(?:line )?\d+: )?(?:exec: )?([^:]+): (?:command )?(?:not found|Permission denied|No such file or directory|is a directory)/i.exec(
        line,
      ) ?? /^\S*env: [‘'"]?([^:’'"]+)[’'"]?: (?:No such file or directory|Permission denied)/.exec(line);
    if (match?.[1] !== undefined) return match[1].trim();
  }
  const words = command.trim().split(/\s+/);
  return words.find((word) => !/^[A-Za-z_]\w*=/.test(word)) ?? command;
}
