import { closeSync, fstatSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { AgentEvent } from 'ralph-agents/event';
import { type Box, boxOf } from 'ralph-box';
import { type LaunchOptions, launch } from 'ralph-box/launch/launch';
import type { Launch, LaunchRequest, Running } from 'ralph-box/launch/running';
import { startFailure } from 'ralph-box/launch/start-command';
import { openLog } from 'ralph-kit/files/open-log';
import { openPlainFile, readPlainFile } from 'ralph-kit/files/plain-file';
import { endLog, type HideBytes, openRawLog } from 'ralph-kit/files/raw-log';
import { match } from 'ralph-kit/match';
import { isAtOrBelow } from 'ralph-kit/paths';
import {
  type Followed,
  type Follower,
  followFile,
  markTimes,
  moveMarks,
  splitLines,
} from 'ralph-kit/programs/output/follow-file';
import { keepEnds, readTailOf } from 'ralph-kit/programs/output/read-tail';
import type { Environment } from 'ralph-kit/programs/start/resolve-executable';
import { toolCpuMs, wholeCpuMs } from 'ralph-kit/programs/table/tracked-tree';
import { tryOr } from 'ralph-kit/try-or';
import type { AgentEnd } from '../../domain/agent.ts';
import type { AgentProcessRequest, AgentProcessResult, Clock } from '../../domain/ports.ts';
import { SettingsError } from '../hook/index.ts';
import { type AgentConversation, type Channel, converse, type Prepared, prepareHook } from './agent-hook.ts';
import { agentProgram } from './agent-program.ts';
import { type Cause, supervise, watchClosing } from './supervise.ts';

/** Options of `openProc` that all programs share. */
export type ProcOptions = LaunchOptions & {
  /** The box of the programs; `null`: no isolation. */
  readonly box: Box | null;
  readonly env: Environment;
  readonly root: string;
  /** Hides secrets in finished logs. */
  readonly hide: HideBytes;
  readonly ofWorker: Readonly<Record<string, string>>;
  readonly launchAgent?: (request: LaunchRequest) => Promise<Launch>;
};

/** Runs an agent to its end. @see Proc.runAgent */
export async function runAgent(
  options: ProcOptions,
  request: AgentProcessRequest,
): Promise<AgentProcessResult> {
  const { clock } = options;
  const begin = clock.monotonicMs();
  const { stop } = request;
  const notStarted = (end: AgentEnd): AgentProcessResult => ({
    end,
    durationMs: clock.monotonicMs() - begin,
    outputBytes: 0,
    errorTail: '',
    log: '',
    leftBehind: 0,
  });
  if (stop.polite.aborted || stop.forced.aborted) {
    const signal = stop.reason() ?? 'SIGTERM';
    return notStarted({ kind: 'interrupted', signal, forced: stop.forced.aborted });
  }
  const logs: number[] = [];
  let prepared: Prepared = { plan: request.plan, channel: null, folders: [], close: () => undefined };
  let box: ReturnType<typeof boxOf> | null = null;
  try {
    let launched: Launch;
    try {
      if (request.hook !== undefined) prepared = await prepareHook(request, request.hook, options.env);
      const place = placeOf(options, request, prepared);
      box = boxOf(options.box, place);
      launched = await launchAgent(options, request, prepared, { ...place, box: box.open }, logs);
    } catch (error) {
      // Hook, prompt or logs may fail to open (full disk, missing folder, odd settings). Other errors are bugs.
      const { errno, code = '', message } = error as NodeJS.ErrnoException;
      if (errno === undefined && !(error instanceof SettingsError)) throw error;
      launched = { kind: 'failed', code, message: `${request.plan.argv[0]} was not started: ${message}` };
    }
    if (launched.kind === 'failed') {
      return notStarted({ kind: 'spawn_failed', code: launched.code, message: launched.message });
    }
    const [output = -1, errors = -1, times = null] = logs;
    const logOf = () => endOfLog(box?.agentFile(request.logFile?.() ?? '') ?? null);
    const opened = { output, errors, times, logOf };
    const attended = await attend(launched.running, request, prepared, opened, clock);
    const { cause, leftBehind, survivors, followed, startFailure } = attended;
    const { report } = prepared.plan;
    // The report may be missing or not a file.
    const reported = report === undefined ? null : readPlainFile(report.path, LONGEST_REPORT);
    if (reported?.kind === 'file')
      for (const event of report?.parse(reported.bytes.toString('utf8')) ?? []) request.onEvent(event);
    if (cause.kind === 'ended' && cause.exit.kind === 'exited' && box !== null) {
      const errorText = readTailOf(errors);
      if (!box.hasStarted() || (followed.bytes === 0 && isNotExecuted(cause.exit.code, errorText)))
        return notStarted(notStartedInBox(request.plan.argv[0], errorText));
    }
    return {
      end: agentEnd(cause, startFailure),
      durationMs: clock.monotonicMs() - begin - (request.waiting?.totalMs() ?? 0),
      outputBytes: followed.bytes,
      log: logOf(),
      errorTail: [
        readTailOf(errors),
        logNote(followed),
        survivors === 0
          ? ''
          : `ralph: ${survivors} processes of the agent could not be ended (of another user?). Find them with ps.`,
      ]
        .filter(Boolean)
        .join('\n'),
      leftBehind,
    };
  } finally {
    closeLogs(logs, request, options.hide);
    box?.close();
    const { report } = prepared.plan;
    if (report !== undefined) rmSync(dirname(report.path), { recursive: true, force: true });
    prepared.close();
  }
}

/** Marks cuts in long output, hides secrets, and drops times of removed output. */
function closeLogs(
  [output, errors, times]: readonly number[],
  { outputFile, errorFile }: AgentProcessRequest,
  hide: HideBytes,
): void {
  try {
    if (errors !== undefined) {
      keepEnds(errors);
      endLog(errorFile, errors, hide);
    }
    if (output === undefined) return;
    const head = keepEnds(output) ?? Number.POSITIVE_INFINITY;
    const at = endLog(outputFile, output, hide);
    if (times !== undefined) moveMarks(times, (offset) => (offset < head ? at(offset) : null));
  } finally {
    for (const file of [output, errors, times]) if (file !== undefined) closeSync(file);
  }
}

/**
 * Makes the folder for an agent's report and returns the place of its hook. @throws The Node error when the folder
 * can't be made.
 */
function placeOf(
  { env: around, ofWorker, box }: ProcOptions,
  { agent, cwd, home, inherits, support, copy, promptFile }: AgentProcessRequest,
  { plan, folders }: Prepared,
) {
  const isolated = box === null ? {} : home?.isolated;
  const reports = plan.report === undefined ? [] : [dirname(plan.report.path)];
  for (const folder of reports) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const env = { ...isolated, ...plan.defaults, ...around, ...ofWorker, ...plan.env };
  // Files of a built-in agent's command line are ralph's, or in the agent's own folders.
  const files = home === null ? filesNamed(plan.argv.slice(1), cwd) : [];
  return {
    ...({ role: 'agent', cwd, env, visible: [...folders, promptFile, ...files], home, copy } as const),
    inherits: {
      ...inherits,
      additional: [
        ...inherits.additional,
        ...Object.keys({ ...isolated, ...plan.defaults, ...ofWorker, ...plan.env }),
      ],
    },
    writable: reports,
    // Parallel agents share no folder.
    agent: support === undefined ? agent : `${agent}-${support.name}`,
    program: agentProgram(plan.argv[0], cwd, env),
    scripts: files.filter((path) => SCRIPT.test(path)),
  };
}

/** Returns the absolute paths of files outside of `cwd` that the arguments of a command name. */
function filesNamed(args: readonly string[], cwd: string): readonly string[] {
  const paths = args.filter((arg) => arg.includes('/')).map((arg) => resolve(cwd, arg));
  return paths.filter((path) => !isAtOrBelow(path, cwd) && tryOr(false, () => statSync(path).isFile()));
}

/** Endings of the names of files that an interpreter runs. */
const SCRIPT = /\.(?:[cm]?[jt]s|py|rb|sh|pl|php|lua|jar)$/;

/** Limit of a report in bytes; longer ones are ignored. */
const LONGEST_REPORT = 1_000_000;
/** The end of an agent's log shows what it waited for; in bytes. */
const LOG_BYTES = 128 * 1024;

function endOfLog(path: string | null): string {
  if (path === null) return '';
  return tryOr('', () => {
    const file = openPlainFile(path);
    try {
      return readTailOf(file, LOG_BYTES);
    } finally {
      closeSync(file);
    }
  });
}

/** Whether the shell in front of a boxed program reported that the system refuses to execute it. */
function isNotExecuted(code: number, errorText: string): boolean {
  return (
    (code === 126 || code === 127) && /^(?:\/bin\/)?sh: /.test(errorText) && !errorText.trim().includes('\n')
  );
}

function notStartedInBox(name: string, errorText: string): AgentEnd {
  const reason =
    errorText.split('\n').findLast((line) => /^(?:bwrap|(?:\/bin\/)?sh): /.test(line)) ?? 'no reason given';
  if (/Argument list too long/.test(reason)) {
    const { code, message } = startFailure(name, constants.errno.E2BIG);
    return { kind: 'spawn_failed', code, message };
  }
  const code = /No such file|not found/.test(reason) ? 'ENOENT' : 'EBOX';
  const message = `${name} could not be started in the box: ${reason.replace(/^\S+ (?:\d+: exec: )?/, '')}. See \`ralph doctor\`.`;
  return { kind: 'spawn_failed', code, message };
}

type Start = Pick<LaunchRequest, 'env' | 'box'> & {
  readonly program: string;
};

async function launchAgent(
  options: ProcOptions,
  request: AgentProcessRequest,
  { plan, channel }: Prepared,
  { program, env, box }: Start,
  logs: number[],
): Promise<Launch> {
  const files: number[] = [];
  const keep = (file: number) => {
    files.push(file);
    return file;
  };
  const stdin = () => {
    if (channel !== null) return keep(channel.stdin);
    return plan.stdin === 'prompt' ? keep(openPlainFile(request.promptFile)) : null;
  };
  try {
    for (const file of [request.outputFile, request.errorFile]) logs.push(openRawLog(file));
    const [stdout = -1, stderr = -1] = logs;
    if (request.timesFile !== undefined) logs.push(openLog(request.timesFile));
    const [, ...args] = plan.argv;
    const { launchAgent = (wanted: LaunchRequest) => launch(wanted, options) } = options;
    const wanted = {
      argv: [program, ...args] as const,
      cwd: request.cwd,
      env,
      box,
      stdin: stdin(),
      stdout,
      stderr,
    };
    return await launchAgent(wanted);
  } finally {
    for (const file of files) closeSync(file);
  }
}

/** Descriptors stay readable when the agent removes the files. */
type Logs = {
  readonly output: number;
  readonly errors: number;
  readonly times: number | null;
  /** Returns the end of the program's own log; empty without one. */
  readonly logOf: () => string;
};

/** Reads the output while the agent runs; resolves when everything has ended and all is read. */
async function attend(
  running: Running,
  request: AgentProcessRequest,
  { plan, channel }: Prepared,
  logs: Logs,
  clock: Clock,
) {
  const closing = watchClosing(clock);
  const tell = (event: AgentEvent) => {
    closing.onEvent(event);
    request.onEvent(event);
  };
  const talk = channel === null ? null : await talkOn(channel, { ...request, plan }, clock, tell);
  const splitter = splitLines(
    (line) => {
      talk?.onLine?.(line);
      for (const event of request.parse(line)) if (talk?.onEvent(event) !== false) tell(event);
    },
    { together: request.plainText },
  );
  const mark = logs.times === null ? () => undefined : markTimes(logs.times, clock);
  const follower = followFile(
    logs.output,
    {
      onChunk: (chunk) => {
        mark(chunk.length);
        splitter.push(chunk);
      },
      onBreak: splitter.end,
    },
    clock,
    channel === null ? undefined : CHANNEL_PAUSE_MS,
  );
  const over = new AbortController();
  const errors = followErrors(logs.errors, request, clock, tell);
  const broken = [
    follower.broken,
    ...(errors === null ? [] : [errors.broken]),
    readLog(logs, request, clock, tell, over.signal),
  ];
  const outputBytes = () => fstatSync(logs.output).size + fstatSync(logs.errors).size;
  const { linger } = request;
  try {
    const { cause, tree } = await supervise(
      {
        running,
        limits: request.limits,
        stop: request.stop,
        broken: Promise.race(broken),
        closing,
        ...(talk?.cancel === undefined ? {} : { cancel: talk.cancel }),
        ...(request.halted === undefined ? {} : { halted: request.halted }),
        ...(request.waiting === undefined ? {} : { waiting: request.waiting }),
        ...(linger === undefined
          ? {}
          : { linger: { ...linger, activity: { outputBytes, cpuMs: () => wholeCpuMs(running.tree()) } } }),
        ...(request.onMemory === undefined ? {} : { onMemory: request.onMemory }),
        activity: { outputBytes, cpuMs: () => toolCpuMs(running.tree(), request.toolSessions ?? false) },
      },
      clock,
    );
    const followed = await follower.finish();
    splitter.end();
    await errors?.finish();
    const startFailure = talk?.over?.() ?? null;
    return { cause, ...tree, followed, startFailure };
  } finally {
    // The final result may be among the last lines.
    closing.stop();
    over.abort();
  }
}

/** Interval of checks of standard error and the program's own log, in milliseconds. */
const ASIDE_MS = 1000;

/** Follows standard error; `null` when nothing reads it. */
function followErrors(
  file: number,
  { parseError }: AgentProcessRequest,
  clock: Clock,
  tell: (event: AgentEvent) => void,
): Pick<Follower, 'broken' | 'finish'> | null {
  if (parseError === undefined) return null;
  const splitter = splitLines((line) => {
    for (const event of parseError(line)) tell(event);
  });
  const listener = { onChunk: splitter.push, onBreak: splitter.end };
  return followFile(file, listener, clock, ASIDE_MS);
}

/** Passes on the events in the program's own log until `until` fires. Resolves only if reading the log fails, with the error. */
async function readLog(
  { logOf }: Logs,
  { parseLog }: AgentProcessRequest,
  clock: Clock,
  tell: (event: AgentEvent) => void,
  until: AbortSignal,
): Promise<unknown> {
  if (parseLog !== undefined) {
    try {
      for (let known = ''; !until.aborted; await clock.sleep(ASIDE_MS, until)) {
        const text = logOf();
        if (text !== known) for (const event of parseLog(text)) tell(event);
        known = text;
      }
    } catch (error) {
      return error;
    }
  }
  return new Promise(() => undefined);
}

/** The protocol's client is loaded only for agents that speak it. */
async function talkOn(
  channel: Channel,
  request: AgentProcessRequest,
  clock: Clock,
  tell: (event: AgentEvent) => void,
): Promise<AgentConversation> {
  if (request.hook?.contract.transport !== 'ACP') return converse(channel, request, clock);
  const { speakAcp } = await import('./agent-acp.ts');
  return speakAcp(channel, request, request.hook, request.hook.contract, tell);
}

/** An agent waiting for an answer needs a shorter interval, in milliseconds. */
const CHANNEL_PAUSE_MS = 5;

/**
 * Returns how the agent ended. `startFailure`: why an agent that speaks ACP opened no session, so that it did no work.
 */
function agentEnd(cause: Cause, startFailure: string | null): AgentEnd {
  const isOwn = cause.kind === 'ended' || cause.kind === 'lingered' || cause.kind === 'timed_out';
  if (startFailure !== null && isOwn)
    return { kind: 'spawn_failed', code: 'no session', message: startFailure };
  return match(cause, 'kind', {
    ended: (cause) => cause.exit,
    lingered: () => ({ kind: 'exited', code: 0, lingered: true }),
    timed_out: (cause) => cause,
    interrupted: (cause) => cause,
    halted: (cause) => ({ kind: 'halted', ...cause.halt }),
    broken: (cause) => {
      throw cause.error;
    },
  });
}

/** The log is evidence, so it must say what is missing or wasn't read. */
function logNote({ cuts, skipped }: Followed): string {
  const notes: string[] = [];
  if (cuts > 0) {
    notes.push(
      `ralph: the log of the output was cut while the agent ran (${cuts}×: a program of it opened /dev/stdout anew). What was read before counts, but is not in the log any more.`,
    );
  }
  if (skipped > 0) {
    notes.push(
      `ralph: the log of the output was stretched while the agent ran: ${skipped} bytes of it were not read.`,
    );
  }
  return notes.join('\n');
}
