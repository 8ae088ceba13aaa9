import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HookAnswer, HookPlace } from 'ralph-agents/hook';
import type { AgentPlan } from 'ralph-agents/protocol';
import { namesIn } from 'ralph-kit/files/plain-file';
import { processStatus } from 'ralph-kit/programs/table/process-identity';
import { isSameSecret } from '../same-secret.ts';
import { clientCommand } from './client-command.ts';

/** Longest socket path that every system allows, in bytes. */
const LONGEST_SOCKET_PATH = 100;
/** Longer messages get no answer, which denies them. */
const LONGEST_MESSAGE_BYTES = 64 * 1024 * 1024;
/** Prefix of a socket's folder when the hook's folder has too long a path. */
const ELSEWHERE = 'ralph-hook-';
const SOCKET = 'socket';
/** The first line has the token and a number. */
const LONGEST_LINE = 100;

export type OpenHook = {
  readonly place: HookPlace;
  readonly write: (files: AgentPlan['files']) => void;
  /** Closes the socket and removes the hook's folders. */
  readonly close: () => void;
};

export type OpenHookOptions = {
  /** Private folder that outlives the attempt; the hook's own is made in it. */
  readonly folder: string;
  readonly patienceSeconds: number;
  readonly cwd: string;
  /** Answers one message; an exception isn't an answer. `gone` aborts when the client has disconnected. */
  readonly onMessage: (text: string, gone: AbortSignal) => HookAnswer | Promise<HookAnswer>;
};

/**
 * Opens a socket for one attempt's hooks and plug-ins, in a folder that only this user can enter. Each connection has
 * one message: a line with token and byte count, then the text. The answer is a line with exit code and byte count,
 * then the text; a truncated answer is invalid.
 * @throws The Node error when folder or socket can't be made.
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

/** Parent folders for short socket paths; `TMPDIR` may be deep, too. */
const elsewhere = () => [...new Set([tmpdir(), '/tmp'])];

function shortFolder(): string {
  // `mkdtemp` adds six characters to the process id.
  const folder = elsewhere().find((each) => fits(join(each, `${ELSEWHERE}${process.pid}-xxxxxx`)));
  return folder ?? tmpdir();
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET)) <= LONGEST_SOCKET_PATH;
}

/** Removes hook folders of processes that have ended. */
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
      // Another user's folder can't be removed.
    }
  }
}

function serve(connection: Socket, token: string, onMessage: OpenHookOptions['onMessage']): void {
  const chunks: Buffer[] = [];
  let size = 0;
  /** Position of the text, known after the first line. */
  let text: Span | null = null;
  // A reviewer that throws has no answer; hooks treat exit code 2 as a denial.
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

/** Returns the text's position; `null` for a wrong token or an implausible length. */
function announced(line: string, begin: number, token: string): Span | null {
  const [word = '', length = ''] = line.split(' ');
  const bytes = /^\d{1,9}$/.test(length) ? Number(length) : Number.POSITIVE_INFINITY;
  return isSameSecret(word, token) && bytes <= LONGEST_MESSAGE_BYTES ? { begin, end: begin + bytes } : null;
}
