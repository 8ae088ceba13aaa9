import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clientCommand } from '../../../src/io/hook/client-command.ts';
import { openHook, pruneHooks } from '../../../src/io/hook/index.ts';
import { type Finished, finishedOf } from '../../helpers/finished.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gate \'ä" '));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a client as an agent does: its command line in a shell, the message on standard input. */
function ask(
  client: string,
  message: string,
  path = process.env.PATH,
  onStart: (pid: number) => void = () => undefined,
): Promise<Finished> {
  const child = spawn('sh', ['-c', client], { env: { PATH: path } });
  onStart(child.pid ?? 0);
  child.stdin.on('error', () => undefined);
  child.stdin.end(message);
  return finishedOf(child);
}

const WITHOUT_PERL = 'node';
const CLIENTS = ['perl', WITHOUT_PERL] as const;

/** Returns the hook's client that a machine with or without Perl gets. */
function clientFor(kind: (typeof CLIENTS)[number], socket: string, token: string): string {
  const path = process.env.PATH;
  if (kind === WITHOUT_PERL) process.env.PATH = '/nonexistent';
  try {
    return clientCommand({ socket, token, node: process.execPath, cwd: folder });
  } finally {
    process.env.PATH = path;
  }
}

describe.each(CLIENTS)('the client in %s', (kind) => {
  it.each([
    ['0 and text', { text: '{"a":"ä\\n"}', exitCode: 0 }],
    ['0 and nothing', { text: '', exitCode: 0 }],
    ['another code', { text: 'no', exitCode: 2 }],
  ])('hands over message and answer: %s', async (_, answer) => {
    const heard: string[] = [];
    const gate = await openHook({
      folder,
      patienceSeconds: 1,
      cwd: folder,
      onMessage: (text) => {
        heard.push(text);
        return answer;
      },
    });
    const { socket, token } = gate.place;
    const message = `{"text":"${'größer\\n'.repeat(100_000)}"}`;
    const ended = await ask(clientFor(kind, socket, token), message);
    gate.close();
    expect(heard).toEqual([message]);
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({
      code: answer.exitCode,
      stdout: answer.text,
    });
  });

  it.each([
    ['closes at once', ''],
    ['says garbage', 'garb{age'],
    ['says a line of garbage', 'allow\n'],
    ['breaks off behind the code', '0'],
    ['breaks off in its answer', '0 20\n{"decision":'],
    ['says more than it announced', '0 1\n{}'],
    ['says a negative code', '-1 2\n{}'],
  ])('denies with 2 and prints nothing when the other side %s', async (_, says) => {
    const socket = join(folder, 's');
    const server = createServer((connection) => {
      connection.on('error', () => undefined);
      connection.once('data', () => connection.end(says));
    });
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    const ended = await ask(clientFor(kind, socket, 'token'), '{}');
    server.close();
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('denied');
  });

  it("denies when ralph isn't there", async () => {
    const ended = await ask(clientFor(kind, join(folder, 'none'), 'token'), '{}');
    expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('denies when it is killed while it waits', async () => {
    const socket = join(folder, 's');
    let connected: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      connected = resolve;
    });
    const server = createServer((connection) => {
      connection.on('error', () => undefined);
      connection.once('data', connected);
    });
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    const shell: number[] = [];
    const ended = ask(clientFor(kind, socket, 'token'), '{}', process.env.PATH, (pid) => shell.push(pid));
    await waiting;
    const children = readFileSync(`/proc/${shell[0]}/task/${shell[0]}/children`, 'utf8');
    process.kill(Number(children.trim()), 'SIGKILL');
    expect(await ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('denied') });
    server.close();
  });
});

describe('openHook', () => {
  const open = (onMessage = (_: string) => ({ text: 'yes', exitCode: 0 })) =>
    openHook({ folder, patienceSeconds: 1, cwd: folder, onMessage });

  it('is private, and gone when it is closed', async () => {
    const gate = await open();
    gate.write([{ name: 'hooks.json', content: '{}' }]);
    const { place } = gate;
    expect(statSync(place.folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(place.folder, 'hooks.json')).mode & 0o777).toBe(0o600);
    gate.close();
    expect(readdirSync(folder)).toEqual([]);
    expect((await ask(place.client, '{}')).code).toBe(2);
  });

  it("doesn't answer without the token", async () => {
    let asked = 0;
    const gate = await open(() => {
      asked += 1;
      return { text: 'yes', exitCode: 0 };
    });
    const { socket, token } = gate.place;
    for (const wrong of ['', 'x', 'ä'.repeat(16), `${token}x`, token.toUpperCase() + token]) {
      const client = clientCommand({ socket, token: wrong, node: process.execPath, cwd: folder });
      expect((await ask(client, '{}')).code).toBe(2);
    }
    expect(asked).toBe(0);
    expect((await ask(gate.place.client, '{}')).stdout).toBe('yes');
    gate.close();
  });

  it('takes a message in pieces of any size', async () => {
    const gate = await open((text) => ({ text, exitCode: 0 }));
    const { socket, token } = gate.place;
    const connection = connect(socket);
    const answer = new Promise<string>((resolve) => {
      let got = '';
      connection.setEncoding('utf8').on('data', (text) => {
        got += text;
      });
      connection.on('close', () => resolve(got));
    });
    for (const byte of Buffer.from(`${token} 6\n{"ä"}`)) {
      await new Promise<void>((resolve) => connection.write(Buffer.of(byte), () => resolve()));
    }
    expect(await answer).toBe('0 6\n{"ä"}');
    gate.close();
  });

  it('hears no more than it was told would come', async () => {
    const heard: string[] = [];
    const gate = await open((text) => {
      heard.push(text);
      return { text: '', exitCode: 0 };
    });
    const { socket, token } = gate.place;
    const connection = connect(socket);
    const over = new Promise<void>((resolve) => connection.on('close', () => resolve()).resume());
    connection.write(`${token} 2\n{}{"more":1}`);
    await over;
    expect(heard).toEqual(['{}']);
    gate.close();
  });

  it('denies when the reviewer throws', async () => {
    const gate = await open(() => {
      throw new Error('broken');
    });
    expect(await ask(gate.place.client, '{}')).toMatchObject({ code: 2, stdout: '' });
    gate.close();
  });

  it('answers many at once', async () => {
    const gate = await open((text) => ({ text, exitCode: 0 }));
    const messages = Array.from({ length: 20 }, (_, number) => `{"number":${number}}`);
    const answers = await Promise.all(messages.map((message) => ask(gate.place.client, message)));
    gate.close();
    expect(answers.map(({ stdout }) => stdout)).toEqual(messages);
  });

  it.each([
    { deep: 'its own folder', temporary: (_long: string) => tmpdir() },
    { deep: 'its own folder and that for temporary files', temporary: (long: string) => long },
  ])('finds a place for its socket where $deep have long names', async ({ temporary }) => {
    const long = join(folder, 'x'.repeat(120));
    mkdirSync(long);
    vi.stubEnv('TMPDIR', temporary(long));
    const gate = await openHook({
      folder: long,
      patienceSeconds: 1,
      cwd: folder,
      onMessage: () => ({ text: 'yes', exitCode: 0 }),
    });
    expect((await ask(gate.place.client, '{}')).stdout).toBe('yes');
    gate.close();
    expect(existsSync(gate.place.socket)).toBe(false);
  });
});

it('pruneHooks removes what processes left that are gone, and nothing else', () => {
  const gone = spawnSync('true').pid;
  for (const name of [`${gone}-abc`, `${process.pid}-def`]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'hooks.json'), '{}');
  }
  pruneHooks(folder);
  expect(readdirSync(folder)).toEqual([`${process.pid}-def`]);
  expect(() => pruneHooks(join(folder, 'none'))).not.toThrow();
});
