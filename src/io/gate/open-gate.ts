import { randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentPlan, GateAnswer, GatePlace } from '../../domain/agent.ts';
import { clientCommand } from './client-command.ts';

/** The longest path that a socket can have on every system, in bytes. */
const LONGEST_SOCKET_PATH = 100;
/** A message longer than this gets no answer, which denies it. */
const LONGEST_MESSAGE_BYTES = 64 * 1024 * 1024;
/** The first line is the token and a number. */
const LONGEST_LINE = 100;

export type Gate = {
  readonly place: GatePlace;
  /** Puts the files of a plan into the gate's folder. */
  readonly write: (files: AgentPlan['files']) => void;
  /** Ends it and removes all of it. */
  readonly close: () => void;
};

export type OpenGateOptions = {
  /** A private folder that outlives the attempt; the gate's own is made in it. */
  readonly folder: string;
  readonly patienceSeconds: number;
  readonly cwd: string;
  /** Answers one message; what it throws is no answer. */
  readonly onMessage: (text: string) => GateAnswer;
};

/**
 * Opens the door by which one attempt's hooks and plug-ins reach ralph: a socket in a folder that only this user can
 * enter. One message each connection: a line with the token and the number of bytes, then the text; the answer is a
 * line with an exit code and the number of bytes, then text, then the end. Half an answer is none.
 *
 * @throws The Node error when folder or socket cannot be made.
 */
export async function openGate({ folder, patienceSeconds, cwd, onMessage }: OpenGateOptions): Promise<Gate> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = mkdtempSync(join(folder, `${process.pid}-`));
  const named = join(own, 'socket');
  const short = Buffer.byteLength(named) <= LONGEST_SOCKET_PATH;
  const socketFolder = short ? own : mkdtempSync(join(tmpdir(), 'ralph-'));
  const socket = join(socketFolder, 'socket');
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
    await listen(server, socket);
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

/** Removes what gates of processes left that are gone. */
export function pruneGates(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (!isAlive(Number(/^(\d+)-/.exec(name)?.[1]))) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function serve(connection: Socket, token: string, onMessage: (text: string) => GateAnswer): void {
  let said = Buffer.alloc(0);
  let answeredIt = false;
  connection.on('error', () => connection.destroy());
  connection.on('data', (chunk: Buffer) => {
    if (answeredIt) return;
    said = Buffer.concat([said, chunk]);
    const line = said.indexOf(10);
    const bytes = line < 0 ? null : announced(said.subarray(0, line).toString('latin1'), token);
    if (bytes === null) {
      if (line >= 0 || said.length > LONGEST_LINE) connection.destroy();
      return;
    }
    const text = said.subarray(line + 1);
    if (text.length < bytes) return;
    answeredIt = true;
    const answer = answered(onMessage, text.subarray(0, bytes).toString('utf8'));
    const words = Buffer.from(answer.text);
    connection.end(Buffer.concat([Buffer.from(`${answer.exitCode} ${words.length}\n`), words]));
  });
}

/** How many bytes of text follow; `null` where the token is not ours, or nobody sends so much. */
function announced(line: string, token: string): number | null {
  const [word = '', length = ''] = line.split(' ');
  const bytes = /^\d{1,9}$/.test(length) ? Number(length) : null;
  return isToken(word, token) && bytes !== null && bytes <= LONGEST_MESSAGE_BYTES ? bytes : null;
}

/** A reviewer that throws has not answered; hooks take exit code 2 for a denial. */
function answered(onMessage: (text: string) => GateAnswer, text: string): GateAnswer {
  try {
    return onMessage(text);
  } catch {
    return { text: '', exitCode: 2 };
  }
}

function isToken(word: string, token: string): boolean {
  return (
    word.length === token.length && timingSafeEqual(Buffer.from(word, 'latin1'), Buffer.from(token, 'latin1'))
  );
}

function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ path: socket }, () => {
      server.off('error', reject);
      server.on('error', () => undefined);
      resolve();
    });
  });
}
