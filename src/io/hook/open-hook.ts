import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentPlan, HookAnswer, HookPlace } from '../../domain/agent.ts';
import { namesIn } from '../files/plain-file.ts';
import { processStatus } from '../programs/table/process-identity.ts';
import { clientCommand } from './client-command.ts';

/** The longest path that a socket can have on every system, in bytes. */
const LONGEST_SOCKET_PATH = 100;
/** A message longer than this gets no answer, which denies it. */
const LONGEST_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Beginning of the name of a folder for a socket, where that of the hook has too long a name for one. */
const ELSEWHERE = 'ralph-hook-';
const SOCKET = 'socket';
/** The first line is the token and a number. */
const LONGEST_LINE = 100;

export type OpenHook = {
  readonly place: HookPlace;
  /** Puts the files of a plan into the hook's folder. */
  readonly write: (files: AgentPlan['files']) => void;
  /** Ends it and removes all of it. */
  readonly close: () => void;
};

export type OpenHookOptions = {
  /** A private folder that outlives the attempt; the hook's own is made in it. */
  readonly folder: string;
  readonly patienceSeconds: number;
  readonly cwd: string;
  /** Answers one message, which may take time; what it throws isn't an answer. `gone`: nothing waits for it any more. */
  readonly onMessage: (text: string, gone: AbortSignal) => HookAnswer | Promise<HookAnswer>;
};

/**
 * Opens the door by which one attempt's hooks and plug-ins reach ralph: a socket in a folder that only this user can
 * enter. One message each connection: a line with the token and the number of bytes, then the text; the answer is a
 * line with an exit code and the number of bytes, then text, then the end. Half an answer isn't one.
 *
 * @throws The Node error when folder or socket cannot be made.
 */
export async function openHook({
  folder,
  patienceSeconds,
  cwd,
  onMessage,
}: OpenHookOptions): Promise<OpenHook> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = mkdtempSync(join(folder, `${process.pid}-`));
  const socketFolder = fits(own) ? own : mkdtempSync(join(shortFolder(), `${ELSEWHERE}${process.pid}-`));
  const socket = join(socketFolder, SOCKET);
  const token = randomBytes(16).toString('hex');
  const remove = () => {
    for (const path of new Set([own, socketFolder])) rmSync(path, { recursive: true, force: true });
  };
  const open = new Set<Socket>();
  const server = createServer((connection) => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
    serve(connection, token, onMessage);
  });
  try {
    server.listen({ path: socket });
    await once(server, 'listening');
    server.on('error', () => undefined);
  } catch (error) {
    remove();
    throw error;
  }
  const client = clientCommand({ socket, token, node: process.execPath, cwd });
  return {
    place: { folder: own, client, socket, token, patienceSeconds },
    write: (files = []) => {
      for (const { name, content } of files) writeFileSync(join(own, name), content, { mode: 0o600 });
    },
    close: () => {
      server.close();
      for (const connection of open) connection.destroy();
      remove();
    },
  };
}

/** Where sockets are made whose own folder has too long a name; `TMPDIR` may be deep, too. */
const elsewhere = () => [...new Set([tmpdir(), '/tmp'])];

function shortFolder(): string {
  // `mkdtemp` adds six characters to the process id.
  const folder = elsewhere().find((each) => fits(join(each, `${ELSEWHERE}${process.pid}-xxxxxx`)));
  return folder ?? tmpdir();
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET)) <= LONGEST_SOCKET_PATH;
}

/** Removes what hooks of processes left that are gone. */
export function pruneHooks(folder: string): void {
  const hooks = namesIn(folder).map((name) => ({ path: join(folder, name), owner: name }));
  const sockets = elsewhere().flatMap((parent) =>
    namesIn(parent)
      .filter((name) => name.startsWith(ELSEWHERE))
      .map((name) => ({ path: join(parent, name), owner: name.slice(ELSEWHERE.length) })),
  );
  for (const { path, owner } of [...hooks, ...sockets]) {
    const pid = /^([1-9]\d*)-/.exec(owner)?.[1];
    if (pid !== undefined && processStatus(Number(pid)).kind === 'alive') continue;
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Of another user: theirs to remove.
    }
  }
}

function serve(connection: Socket, token: string, onMessage: OpenHookOptions['onMessage']): void {
  const chunks: Buffer[] = [];
  let size = 0;
  /** Where the text begins and ends, as soon as the first line is there. */
  let text: Span | null = null;
  // A reviewer that throws has not answered; hooks take exit code 2 for a denial.
  const ask = async (question: string, gone: AbortSignal): Promise<HookAnswer> => {
    try {
      return await onMessage(question, gone);
    } catch {
      return { text: '', exitCode: 2 };
    }
  };
  connection.on('error', () => connection.destroy());
  connection.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (text === null) {
      const received = Buffer.concat(chunks);
      const line = received.subarray(0, LONGEST_LINE).indexOf(10);
      text = line < 0 ? null : announced(received.toString('latin1', 0, line), line + 1, token);
      if (text === null && (line >= 0 || size > LONGEST_LINE)) connection.destroy();
    }
    if (text === null || size < text.end) return;
    connection.removeAllListeners('data');
    const gone = new AbortController();
    connection.once('close', () => gone.abort());
    const received = Buffer.concat(chunks).toString('utf8', text.begin, text.end);
    void ask(received, gone.signal).then(({ exitCode, text: answer }) => {
      if (gone.signal.aborted) return;
      const words = Buffer.from(answer);
      connection.end(Buffer.concat([Buffer.from(`${exitCode} ${words.length}\n`), words]));
    });
  });
}

type Span = { readonly begin: number; readonly end: number };

/** The text behind a first line; `null` where the token isn't ours, or the text is too long to be meant. */
function announced(line: string, begin: number, token: string): Span | null {
  const [word = '', length = ''] = line.split(' ');
  const bytes = /^\d{1,9}$/.test(length) ? Number(length) : Number.POSITIVE_INFINITY;
  return word.length === token.length &&
    timingSafeEqual(Buffer.from(word, 'latin1'), Buffer.from(token, 'latin1')) &&
    bytes <= LONGEST_MESSAGE_BYTES
    ? { begin, end: begin + bytes }
    : null;
}
