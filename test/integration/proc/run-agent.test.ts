import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent } from 'ralph-agents/event';
import type { HookContract } from 'ralph-agents/hook';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentProcessRequest } from '../../../src/domain/ports.ts';
import { systemClock } from '../../../src/io/clock.ts';
import { openProc } from '../../../src/io/proc/index.ts';
import { CLOSING_MS } from '../../../src/io/proc/supervise.ts';
import { actionOf } from '../../helpers/action.ts';
import { carriersOf, killCarriersOf, uniqueToken, waitUntil } from '../../helpers/adversaries/token.ts';
import { agentRequest } from '../../helpers/adversaries/trial.ts';
import { boxAround, isWholeBox } from '../../helpers/boxed.ts';
import { manualStop, releasedClock, UNTIL_RELEASED_MS } from '../../helpers/clocks.ts';
import { temporaryFolder } from '../../helpers/repository.ts';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder();
});

const MINUTE = 60_000;

type Wish = Partial<Pick<AgentProcessRequest, 'limits' | 'stop' | 'parse' | 'onEvent' | 'cwd'>> & {
  readonly argv: readonly [string, ...string[]];
  readonly prompt?: string;
  readonly env?: Record<string, string>;
};

function requestFor({ argv, prompt, env = {}, ...rest }: Wish): AgentProcessRequest {
  const base = agentRequest(folder, argv);
  if (prompt !== undefined) writeFileSync(base.promptFile, prompt);
  return {
    ...base,
    plan: { argv, env, stdin: prompt === undefined ? 'empty' : 'prompt' },
    limits: { wallMs: MINUTE, idleMs: 0, graceMs: 1000 },
    stop: manualStop(),
    ...rest,
  };
}

function shell(script: string): readonly [string, ...string[]] {
  return ['sh', '-c', script];
}

const textOf = (line: string): readonly AgentEvent[] => [{ kind: 'text', text: line, delta: false }];

describe.each(['auto', 'group-scan'] as const)('an agent under %s', (supervision) => {
  const proc = openProc({ clock: systemClock(), env: { PATH: process.env.PATH, BASE: 'base' }, supervision });

  it.each([
    ['exit 0', { kind: 'exited', code: 0 }],
    ['exit 3', { kind: 'exited', code: 3 }],
    ['exit 127', { kind: 'exited', code: 127 }],
    ['exit 137', { kind: 'exited', code: 137 }],
    ['kill -USR1 $$', { kind: 'signalled', signal: 'SIGUSR1' }],
    ['kill -KILL $$', { kind: 'signalled', signal: 'SIGKILL' }],
  ])('%s', async (script, end) => {
    const result = await proc.runAgent(requestFor({ argv: shell(script) }));
    expect(result).toMatchObject({ end, outputBytes: 0, leftBehind: 0 });
    expect(result.durationMs).toBeGreaterThanOrEqual(0);
  });

  it('gets a large prompt on standard input, to its end', async () => {
    const prompt = 'ä line\n'.repeat(700_000);
    const request = requestFor({ argv: ['sha256sum'], prompt });
    await proc.runAgent(request);
    const expected = createHash('sha256').update(prompt).digest('hex');
    expect(readFileSync(request.outputFile, 'utf8')).toContain(expected);
  });

  it.each([
    ['never reads it', 'exit 5'],
    ['closes it', 'exec <&-; exit 5'],
    ['reads its beginning', 'head -c 10 > /dev/null; exit 5'],
  ])('with a prompt of 5 MB that %s ends as it wants to', async (_name, script) => {
    const prompt = 'x'.repeat(5_000_000);
    const result = await proc.runAgent(requestFor({ argv: shell(script), prompt }));
    expect(result.end).toEqual({ kind: 'exited', code: 5 });
  });

  it('gets an empty standard input otherwise', async () => {
    const result = await proc.runAgent(requestFor({ argv: shell('test -z "$(cat)"') }));
    expect(result.end).toEqual({ kind: 'exited', code: 0 });
  });

  it('gets its arguments, its environment and its folder as they are', async () => {
    const request = requestFor({
      argv: ['sh', '-c', 'printf "%s\\n" "$0" "$@" "$BASE" "$OWN" "$(pwd -P)"', 'a b', '', '$HOME', '"ü\n*'],
      env: { OWN: 'x=y\nz' },
    });
    await proc.runAgent(request);
    const cwd = readFileSync(request.outputFile, 'utf8');
    expect(cwd).toBe(`a b\n\n$HOME\n"ü\n*\nbase\nx=y\nz\n${folder}\n`);
  });

  it('inherits no more descriptors than a plain child of this process', async () => {
    const request = requestFor({ argv: ['ls', '/proc/self/fd'] });
    await proc.runAgent(request);
    const plain = spawnSync('ls', ['/proc/self/fd'], { encoding: 'utf8' });
    expect(readFileSync(request.outputFile, 'utf8')).toBe(plain.stdout);
  });

  it('keeps its output in files for the owner alone, apart from each other', async () => {
    const request = requestFor({ argv: shell('echo out; printf "\\033[31mbad\\033[0m\\n" >&2') });
    const result = await proc.runAgent(request);
    expect(readFileSync(request.outputFile, 'utf8')).toBe('out\n');
    expect(result).toMatchObject({ outputBytes: 4, errorTail: 'bad' });
    expect(statSync(request.outputFile).mode & 0o777).toBe(0o600);
    expect(statSync(request.errorFile).mode & 0o777).toBe(0o600);
  });

  it('is not started when ralph is already stopped', async () => {
    const stop = manualStop();
    stop.stop();
    const result = await proc.runAgent(requestFor({ argv: shell('touch started'), stop }));
    expect(result.end).toEqual({ kind: 'interrupted', signal: 'SIGINT', forced: false });
    expect(existsSync(join(folder, 'started'))).toBe(false);
  });

  it('that is a script without a first line is run by the shell', async () => {
    writeFileSync(join(folder, 'agent'), 'exit 4\n', { mode: 0o755 });
    const result = await proc.runAgent(requestFor({ argv: ['./agent'] }));
    expect(result.end).toEqual({ kind: 'exited', code: 4 });
  });

  it.each([
    ['a program that is nowhere', ['no-such-agent'], 'ENOENT', /no-such-agent was not found in PATH/],
    ['a path that does not exist', ['./nothing'], 'ENOENT', /was not found/],
    [
      'a file that may not be executed',
      ['./plain'],
      'EACCES',
      /plain may not be executed.*chmod \+x \.\/plain/,
    ],
    [
      'a script whose interpreter is missing',
      ['./orphan'],
      'ENOENT',
      /orphan could not be started.*interpreter/,
    ],
    ['too long arguments', ['echo', 'x'.repeat(3_000_000)], 'E2BIG', /too long/],
    ['an argument with NUL', ['echo', 'a\0b'], 'EINVAL', /NUL/],
  ] as const)('%s is a spawn failure', async (_name, argv, code, message) => {
    writeFileSync(join(folder, 'plain'), 'text');
    writeFileSync(join(folder, 'orphan'), '#!/no/such/interpreter\n', { mode: 0o755 });
    const { end } = await proc.runAgent(requestFor({ argv }));
    expect(end).toEqual({ kind: 'spawn_failed', code, message: expect.stringMatching(message) });
  });

  it('in a folder that does not exist is a spawn failure', async () => {
    const { end } = await proc.runAgent(requestFor({ argv: shell('exit 0'), cwd: join(folder, 'gone') }));
    expect(end).toMatchObject({ kind: 'spawn_failed', message: expect.stringContaining('gone') });
  });

  it('whose prompt cannot be read is a spawn failure', async () => {
    const request = requestFor({ argv: shell('exit 0') });
    const plan = { ...request.plan, stdin: 'prompt' } as const;
    const { end } = await proc.runAgent({ ...request, plan });
    expect(end).toMatchObject({ kind: 'spawn_failed', code: 'ENOENT' });
  });

  it('finds the program on the PATH that it is given', async () => {
    writeFileSync(join(folder, 'mine'), '#!/bin/sh\nexit 9\n');
    chmodSync(join(folder, 'mine'), 0o755);
    const result = await proc.runAgent(requestFor({ argv: ['mine'], env: { PATH: folder } }));
    expect(result.end).toEqual({ kind: 'exited', code: 9 });
  });
});

describe('the output of an agent', () => {
  const proc = openProc({ clock: systemClock(), env: process.env });

  it('is given line by line while it runs', async () => {
    const lines: string[] = [];
    const request = requestFor({
      argv: shell('echo one; until [ -e go ]; do sleep 0.01; done; echo two; printf three'),
      parse: textOf,
      onEvent: (event) => {
        if (event.kind === 'text') lines.push(event.text);
        writeFileSync(join(folder, 'go'), '');
      },
    });
    const result = await proc.runAgent(request);
    expect(result.end).toEqual({ kind: 'exited', code: 0 });
    expect(lines).toEqual(['one', 'two', 'three']);
  });

  it("may be large, hold endless lines and bytes that aren't text; its order stays", async () => {
    const script = `
      $| = 0;
      print "line $_ ", "x" x 80, "\\n" for 1 .. 220_000;
      print "y" x 5_000_000, "\\n";
      print "\\xff\\xfe bad\\n", "last\\n";`;
    let count = 0;
    let ordered = true;
    const others: number[] = [];
    const tail: string[] = [];
    const result = await proc.runAgent(
      requestFor({
        argv: ['perl', '-e', script],
        parse: textOf,
        onEvent: (event) => {
          if (event.kind !== 'text') return;
          if (event.text.startsWith('line ')) {
            count += 1;
            ordered &&= event.text.startsWith(`line ${count} `);
          } else if (event.text.startsWith('y')) others.push(event.text.length);
          else tail.push(event.text);
        },
      }),
    );
    expect({ count, ordered, others, tail }).toEqual({
      count: 220_000,
      ordered: true,
      others: [1024 * 1024],
      tail: ['\ufffd\ufffd bad', 'last'],
    });
    expect(result.outputBytes).toBeGreaterThan(24_000_000);
  });

  it('is read on when the agent opens its standard output anew', async () => {
    const lines: string[] = [];
    const result = await proc.runAgent(
      requestFor({
        argv: shell(
          'echo a long first line; until [ -e go ]; do sleep 0.01; done; echo x > /dev/stdout; echo y',
        ),
        parse: textOf,
        onEvent: (event) => {
          if (event.kind === 'text') lines.push(event.text);
          writeFileSync(join(folder, 'go'), '');
        },
      }),
    );
    expect(lines).toEqual(['a long first line', 'x', 'y']);
    expect(result.errorTail).toContain('was cut while the agent ran');
    expect(result.outputBytes).toBe('a long first line\nx\ny\n'.length);
  });

  it('may be stretched to any size: it is over as soon as the agent is', async () => {
    const lines: string[] = [];
    const result = await proc.runAgent(
      requestFor({
        argv: ['perl', '-e', 'truncate(STDOUT, 2 ** 40) or die; $| = 1; print "\nend\n"'],
        parse: textOf,
        onEvent: (event) => {
          if (event.kind === 'text') lines.push(event.text);
        },
      }),
    );
    expect(result.end).toEqual({ kind: 'exited', code: 0 });
    expect(lines.at(-1)).toBe('end');
    expect(result.errorTail).toContain('was stretched');
  });

  it.each(['parse', 'onEvent'] as const)('ends the agent and rejects when %s throws', async (where) => {
    const token = uniqueToken();
    const fail = () => {
      throw new Error('a bug of ours');
    };
    const request = requestFor({
      argv: ['sh', '-c', 'echo line; sleep 60; :', token],
      parse: where === 'parse' ? fail : textOf,
      onEvent: where === 'onEvent' ? fail : () => undefined,
    });
    await expect(proc.runAgent(request)).rejects.toThrow('a bug of ours');
    expect(carriersOf(token)).toEqual([]);
  });

  it('rejects also when the last line is the one that breaks', async () => {
    const parse = () => {
      throw new Error('a bug of ours');
    };
    const request = requestFor({ argv: shell('printf end'), parse });
    await expect(proc.runAgent(request)).rejects.toThrow('a bug of ours');
  });
});

describe('limits', () => {
  it('gives an agent that heeds SIGTERM its time', async () => {
    const clock = releasedClock();
    const request = requestFor({
      argv: shell('trap "echo saved; exit 0" TERM; echo ready; for i in $(seq 3000); do sleep 0.02; done'),
      limits: { wallMs: UNTIL_RELEASED_MS, idleMs: 0, graceMs: MINUTE },
      parse: textOf,
      onEvent: () => clock.release(),
    });
    const result = await openProc({ clock, env: process.env }).runAgent(request);
    expect(result.end).toMatchObject({ kind: 'timed_out', which: 'wall' });
    expect(readFileSync(request.outputFile, 'utf8')).toBe('ready\nsaved\n');
  });

  it('lets an agent that has stopped itself continue, and heed SIGTERM', async () => {
    const clock = releasedClock();
    const request = requestFor({
      argv: shell('trap "echo saved; exit 0" TERM; echo ready; kill -STOP $$; sleep 60'),
      limits: { wallMs: UNTIL_RELEASED_MS, idleMs: 0, graceMs: 5000 },
      parse: textOf,
      onEvent: () => clock.release(),
    });
    await openProc({ clock, env: process.env }).runAgent(request);
    expect(readFileSync(request.outputFile, 'utf8')).toBe('ready\nsaved\n');
  });

  const idle = { wallMs: MINUTE, idleMs: 1500, graceMs: 1000 };
  const proc = openProc({ clock: systemClock(), env: process.env });

  it('ends an agent that sleeps', async () => {
    const result = await proc.runAgent(requestFor({ argv: ['sleep', '60'], limits: idle }));
    expect(result.end).toMatchObject({ kind: 'timed_out', which: 'idle' });
  });

  it.each([
    ['auto', ''],
    ['group-scan', ''],
    ['auto', 'setsid'],
    ['group-scan', 'setsid'],
  ] as const)('lets a silent child compute (%s) %s', async (supervision, start) => {
    const burn = 'my $t; do { $t++ for 1 .. 10_000 } until (times)[0] > 2.5;';
    const result = await openProc({ clock: systemClock(), env: process.env, supervision }).runAgent(
      requestFor({ argv: ['sh', '-c', `${start} perl -e "$0" & wait`, burn], limits: idle }),
    );
    expect(result.end).toEqual({ kind: 'exited', code: 0 });
  });
});

describe('an agent of plain text that said that it is done', () => {
  const proc = openProc({ clock: systemClock(), env: process.env });
  const run = (script: string, claims: boolean, more: string[] = [], wallMs = MINUTE) =>
    proc.runAgent({
      ...requestFor({
        argv: ['sh', '-c', script, ...more],
        limits: { wallMs, idleMs: 0, graceMs: 1000 },
      }),
      linger: { ms: 500, claimsDone: () => claims },
    });

  it('is ended when it does nothing any more', async () => {
    expect((await run('echo done; sleep 60', true)).end).toEqual({ kind: 'exited', code: 0, lingered: true });
  });

  it('is left alone while it has not said so', async () => {
    expect((await run('echo well; sleep 60', false, [], 3000)).end).toMatchObject({
      kind: 'timed_out',
      which: 'wall',
    });
  });

  it.each([
    ['computes', 'exec perl -e "$0"', ['my $t; do { $t++ for 1 .. 10_000 } until (times)[0] > 1.2;']],
    ['prints', 'for i in 1 2 3 4 5 6; do echo $i; sleep 0.2; done', []],
  ])('is left alone while it %s', async (_what, script, more) => {
    expect((await run(script, true, more)).end).toEqual({ kind: 'exited', code: 0 });
  });
});

describe('after its closing result', () => {
  const given: Partial<Record<string, AgentEvent>> = {
    result: { kind: 'result', ok: true, text: null },
    ready: { kind: 'hook', message: { kind: 'ready' } },
    session: { kind: 'session', id: 's' },
    step: { kind: 'tool_result', id: null, ok: true, output: '' },
    begun: { kind: 'busy', what: 'helper', who: 'h', busy: true },
    ended: { kind: 'busy', what: 'helper', who: 'h', busy: false },
    ask: { kind: 'hook', message: { kind: 'action', request: '', action: actionOf('Bash', {}) } },
  };
  const parse = (line: string): readonly AgentEvent[] => {
    const event = given[line];
    return event === undefined ? textOf(line) : [event];
  };
  /** Returns a clock that skips waits of this many milliseconds. */
  const hasty = (skipped: number) => {
    const clock = systemClock();
    return {
      ...clock,
      sleep: (ms: number, until?: AbortSignal) => clock.sleep(ms === skipped ? 0 : ms, until),
    };
  };

  it.each(['auto', 'group-scan'] as const)(
    'an agent that waits for its background programs has ended well, and they end (%s)',
    async (supervision) => {
      const token = uniqueToken();
      const proc = openProc({ clock: hasty(CLOSING_MS), env: process.env, supervision });
      const script = `setsid sh -c 'sleep 600; :' ${token} & echo result; wait`;
      try {
        const request = requestFor({ argv: ['sh', '-c', script, token], parse });
        expect((await proc.runAgent(request)).end).toEqual({ kind: 'exited', code: 0, lingered: true });
        expect(carriersOf(token)).toEqual([]);
      } finally {
        killCarriersOf(token);
      }
    },
  );

  it('an agent that ends on its own ends as it does', async () => {
    const proc = openProc({ clock: systemClock(), env: process.env });
    const result = await proc.runAgent(requestFor({ argv: shell('echo result; exit 3'), parse }));
    expect(result.end).toEqual({ kind: 'exited', code: 3 });
  });

  it('nothing waits on for an agent whose result is the last that is read', async () => {
    const clock = systemClock();
    const waiting = new Set<Promise<void>>();
    const sleep = (ms: number, until?: AbortSignal) => {
      const asleep = clock.sleep(ms, until).finally(() => waiting.delete(asleep));
      waiting.add(asleep);
      return asleep;
    };
    const proc = openProc({ clock: { ...clock, sleep }, env: process.env });
    await proc.runAgent(requestFor({ argv: shell('echo result'), parse }));
    await new Promise(setImmediate);
    expect(waiting.size).toBe(0);
  });

  it.each([
    [
      'in the turn that a late message makes',
      'read o; echo ready; read p; echo result; read m; echo session; echo ask; read a; echo "$m $a"; echo result; cat',
    ],
    [
      'for a helper that works on after its result, and in the turn after that',
      'read o; echo ready; read p; read m; echo step; echo begun; echo result; echo ask; read a; echo ended; echo session; echo ask; read a; echo "$m $a"; echo result; cat',
    ],
  ])('an agent gets answers %s', async (_, script) => {
    const heard: string[] = [];
    const base = requestFor({ argv: shell(script), prompt: 'prompt\n', parse });
    const contract: HookContract = {
      ...{
        transport: 'control channel',
        can: { warn: false, modify: false },
        unseenInput: false,
        waitsSeconds: 1,
        key: () => '',
      },
      ...{ opening: 'open', message: (text) => text.trim(), answer: () => 'allowed' },
    };
    const result = await openProc({ clock: systemClock(), env: process.env }).runAgent({
      ...base,
      hook: {
        ...{ contract, folder: join(folder, 'hooks') },
        plan: () => ({ ...base.plan, stdin: 'channel' }),
        onMessage: () => ({ decision: 'allow' }),
        onOpen: (send) => {
          send('more');
        },
      },
      onEvent: (event) => {
        if (event.kind === 'text') heard.push(event.text);
      },
    });
    expect(heard).toEqual(['more allowed']);
    expect(result.end).toEqual({ kind: 'exited', code: 0 });
  });
});

describe.runIf(process.platform === 'linux')(
  'the work that keeps an agent with tools in sessions alive',
  () => {
    const limits = { wallMs: MINUTE, idleMs: 1500, graceMs: 1000 };
    const burn = (seconds: number) =>
      `perl -e 'my $t; do { $t++ for 1 .. 10_000 } until (times)[0] > ${seconds};'`;
    const places = [['auto', false] as const, ['group-scan', false] as const];
    if (isWholeBox) places.push(['auto', true] as never);

    it.each(places)('is not that of its own processes (%s, in a box: %s)', async (supervision, isBoxed) => {
      const box = isBoxed ? boxAround(folder) : null;
      const proc = openProc({ clock: systemClock(), env: process.env, supervision, box });
      const argv = shell(`${burn(30)} & ${burn(30)}`);
      const result = await proc.runAgent({ ...requestFor({ argv, limits }), toolSessions: true });
      expect(result.end).toMatchObject({ kind: 'timed_out', which: 'idle' });
    });

    it.each(places)('is that of its tools (%s, in a box: %s)', async (supervision, isBoxed) => {
      const box = isBoxed ? boxAround(folder) : null;
      const proc = openProc({ clock: systemClock(), env: process.env, supervision, box });
      const argv = shell(`setsid -w sh -c "${burn(2.5).replaceAll('$', '\\$')} & wait"`);
      const result = await proc.runAgent({ ...requestFor({ argv, limits }), toolSessions: true });
      expect(result.end).toEqual({ kind: 'exited', code: 0 });
    });
  },
);

describe.runIf(process.platform === 'linux')('an agent that turns against its supervisor', () => {
  const supervisor = '$(ps -o ppid= -p $$)';

  it('by killing it ends with it, children and all', async () => {
    const token = uniqueToken();
    const proc = openProc({ clock: systemClock(), env: process.env });
    const script = `sh -c 'sleep 60; :' ${token} & setsid sh -c 'sleep 60; :' ${token} & sleep 0.1; kill -KILL ${supervisor}; sleep 60; :`;
    try {
      const result = await proc.runAgent(requestFor({ argv: ['sh', '-c', script, token] }));
      expect(result.end).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
      expect(carriersOf(token)).toEqual([]);
    } finally {
      killCarriersOf(token);
    }
  });

  it('by stopping it is ended all the same', async () => {
    const token = uniqueToken();
    const clock = releasedClock();
    const stop = manualStop();
    const script = `kill -STOP ${supervisor}; touch ready; sleep 60; :`;
    try {
      const running = openProc({ clock, env: process.env }).runAgent(
        requestFor({ argv: ['sh', '-c', script, token], stop }),
      );
      await waitUntil(() => existsSync(join(folder, 'ready')), 'the supervisor is stopped');
      stop.stop();
      expect((await running).end).toMatchObject({ kind: 'interrupted' });
      expect(carriersOf(token)).toEqual([]);
    } finally {
      killCarriersOf(token);
    }
  });
});
