import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { oneByOne } from 'ralph-kit/one-by-one';
import { start } from 'ralph-kit/programs/start/start-program';
import { endWithRalph, sendSignal } from 'ralph-kit/programs/table/signals';
import { GitError } from '../../domain/ports.ts';
import type { GitCall } from '../call/environment.ts';
import { collectEnd } from '../call/run-git.ts';

/** Reads one answer: yields `'line'` for a line without its end, or a number of bytes; returns the parsed answer. */
export type Answer<T> = Generator<'line' | number, T, Buffer>;

/** The program ended before answering; `stderr` has its last output. */
export class ProgramEnded extends GitError {
  override readonly name = 'ProgramEnded';
  readonly stderr: string;
  constructor(message: string, stderr: string) {
    super(message);
    this.stderr = stderr;
  }
}

export type LongLived = {
  /**
   * Asks one question, starting the program when it isn't running.
   * @param answer Reads git's output from the first byte of this answer.
   * @throws ProgramEnded when git ends instead of answering; GitError when git can't be started or is killed at the
   * call's limit.
   */
  readonly ask: <T>(question: string | Buffer, answer: () => Answer<T>) => Promise<T>;
  readonly end: () => void;
};

type Waiting = {
  readonly answer: Answer<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (why: Error) => void;
  /** Kind of input that the answer needs next; `null` before its first step. */
  need: 'line' | number | null;
};

type Session = {
  readonly child: ChildProcess;
  readonly waiting: Waiting[];
  readonly errors: () => string;
  chunks: Buffer[];
  bytes: number;
  timer: NodeJS.Timeout | null;
};

/**
 * Opens a program that answers questions until it is ended. Only an open question keeps ralph alive. Each question has
 * a call's time limit.
 */
export function openLongLived(call: () => GitCall, args: readonly string[]): LongLived {
  let session: Session | null = null;
  const name = `git ${args[0]}`;

  const fail = (of: Session, why: Error): void => {
    if (session === of) session = null;
    if (of.timer !== null) clearTimeout(of.timer);
    for (const { reject } of of.waiting.splice(0)) reject(why);
  };

  const open = (): Session => {
    const { program, folder, env, flags } = call();
    if (program.kind === 'missing') throw new GitError(`git could not be started: ${program.message}`);
    const child = start(program.path, [...flags, ...args], {
      cwd: folder,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    endWithRalph(child);
    const opened: Session = {
      child,
      waiting: [],
      errors: collectEnd(child.stderr),
      chunks: [],
      bytes: 0,
      timer: null,
    };
    child.on('error', (error) => fail(opened, new GitError(`git could not be started: ${error.message}`)));
    child.on('close', (code, signal) => {
      const why = opened.errors() || 'no message';
      fail(opened, new ProgramEnded(`${name} ended with ${code ?? signal}: ${why}`, opened.errors()));
    });
    // A program that ends early closes the pipe; its error output has the reason.
    child.stdin?.on('error', () => undefined);
    child.stdout?.on('data', (chunk: Buffer) => {
      opened.chunks.push(chunk);
      opened.bytes += chunk.length;
      advance(opened);
    });
    return opened;
  };

  const advance = (of: Session): void => {
    for (let first = of.waiting[0]; first !== undefined; first = of.waiting[0]) {
      let read: Buffer | null = null;
      if (first.need !== null) {
        read = take(of, first.need);
        if (read === null) return;
      }
      let step: IteratorResult<'line' | number, unknown>;
      try {
        step = read === null ? first.answer.next() : first.answer.next(read);
      } catch (error) {
        // The output behind a failed answer can't be assigned to questions any more.
        sendGroup(of.child, 'SIGKILL');
        fail(of, error as Error);
        return;
      }
      if (step.done !== true) {
        first.need = step.value;
        continue;
      }
      of.waiting.shift();
      first.resolve(step.value);
      limit(of);
    }
    hold(of.child, false);
  };

  const limit = (of: Session): void => {
    if (of.timer !== null) clearTimeout(of.timer);
    of.timer = null;
    if (of.waiting.length === 0) return;
    const { limitMs } = call();
    of.timer = setTimeout(() => {
      sendGroup(of.child, 'SIGKILL');
      fail(of, new GitError(`${name} didn't answer within ${Math.round(limitMs / 1000)} s and was stopped`));
    }, limitMs);
  };

  return {
    ask: (question, answer) =>
      new Promise((resolve, reject) => {
        session ??= open();
        const asked: Waiting = {
          answer: answer(),
          resolve: resolve as Waiting['resolve'],
          reject,
          need: null,
        };
        session.waiting.push(asked);
        hold(session.child, true);
        if (session.waiting.length === 1) limit(session);
        session.child.stdin?.write(question);
      }),
    end: () => {
      session?.child.stdin?.end();
      session = null;
    },
  };
}

/** Returns the next line or number of bytes; `null` until enough has been read. */
function take(of: Session, need: 'line' | number): Buffer | null {
  if (typeof need === 'number' && of.bytes < need) return null;
  const all = of.chunks.length === 1 ? (of.chunks[0] as Buffer) : Buffer.concat(of.chunks);
  of.chunks = [all];
  const end = need === 'line' ? all.indexOf(0x0a) : need;
  if (end < 0) return null;
  const rest = all.subarray(need === 'line' ? end + 1 : end);
  of.chunks = [rest];
  of.bytes = rest.length;
  return all.subarray(0, end);
}

/** Sets whether the program keeps Node alive. */
function hold(child: ChildProcess, held: boolean): void {
  const streams = [child.stdin, child.stdout, child.stderr] as (Writable | Readable | null)[];
  for (const one of [child, ...streams] as { ref?: () => void; unref?: () => void }[]) {
    if (held) one?.ref?.();
    else one?.unref?.();
  }
}

function sendGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) sendSignal(-pid, signal);
}

export type RefsMoved = { readonly kind: 'moved' } | { readonly kind: 'refused'; readonly why: string };

/** Moves refs through one long-running `git update-ref --stdin` that holds no locks between transactions. */
export type RefTransactions = {
  /**
   * Moves all refs or none.
   * @param updates Lines of `git update-ref --stdin` without options or transaction commands.
   * @throws GitError when git can't be started, is too slow or is killed; the refs may have moved then.
   */
  readonly move: (updates: readonly string[]) => Promise<RefsMoved>;
  readonly end: () => void;
};

export function openRefTransactions(call: () => GitCall, message: string): RefTransactions {
  const git = openLongLived(call, ['update-ref', '--stdin', '-m', message]);
  // Git ends at its first refusal and would fail later questions, so transactions run one at a time.
  const inTurn = oneByOne();
  const one = async (updates: readonly string[]): Promise<RefsMoved> => {
    const question = ['start', ...updates, 'prepare', 'commit', ''].join('\n');
    try {
      await git.ask(question, readCommitted);
      return { kind: 'moved' };
    } catch (error) {
      if (error instanceof ProgramEnded && error.stderr.includes('fatal: '))
        return { kind: 'refused', why: error.stderr };
      // Git may have been ended after its commit, so the caller must read the refs.
      throw error;
    }
  };
  return { move: (updates) => inTurn(() => one(updates)), end: git.end };
}

/** Git confirms each of the three commands. */
function* readCommitted(): Answer<null> {
  for (const command of ['start', 'prepare', 'commit']) {
    const line = (yield 'line').toString('utf8');
    if (line !== `${command}: ok`) throw new Error(`git update-ref answered ${JSON.stringify(line)}`);
  }
  return null;
}
