import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import xterm from '@xterm/headless';
import { expect, onTestFinished } from 'vitest';
import { BIN } from './cli.ts';
import { eventually } from './eventually.ts';
import { finishedOf } from './finished.ts';
import { temporaryFolder } from './repository.ts';

/** Whether this machine has pseudo-terminals whose size can be changed from outside. */
export const HAS_TERMINAL = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

type Size = { readonly columns: number; readonly rows: number };

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** Runs ralph, or another program, on a real pseudo-terminal, whose output a headless terminal shows. */
export function onTerminal(
  cwd: string,
  args: readonly string[],
  {
    columns,
    rows,
    env = {},
    program = [process.execPath, BIN],
  }: Size & { readonly env?: Readonly<Record<string, string>>; readonly program?: readonly string[] },
) {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder, name);
  const [ttyFile, pidFile, before, after] = [at('tty'), at('pid'), at('before'), at('after')];
  const line = [
    `tty > ${quoted(ttyFile)}`,
    `stty cols ${columns} rows ${rows}`,
    `stty -a > ${quoted(before)}`,
    `echo earlier line`,
    `sh -c 'echo $$ > "$0"; exec "$@"' ${quoted(pidFile)} ${[...program, ...args].map(quoted).join(' ')}`,
    'code=$?',
    `stty -a > ${quoted(after)}`,
    'echo "left with $code"',
    'exit $code',
  ].join('; ');
  const { CI: _, NO_COLOR: __, ...own } = process.env;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd,
    env: { RALPH_TRUST: '1', ...own, TERM: 'xterm-256color', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 1000 });
  /** Output since `written` was last called. */
  let written = '';
  child.stdout.on('data', (data: Buffer) => {
    written += data.toString('utf8');
    terminal.write(data);
  });
  const ended = finishedOf(child);
  // A failed test ends its terminal, so that no program stays behind.
  onTestFinished(() => {
    child.kill();
  });

  /** Returns the lines on the screen, or with all lines above it. */
  function lines(all = false): string[] {
    const { buffer } = terminal;
    const from = all ? 0 : buffer.active.baseY;
    return Array.from({ length: buffer.active.length - from }, (_, at) =>
      (buffer.active.getLine(from + at)?.translateToString(true) ?? '').trimEnd(),
    );
  }

  const type = (keys: string) => child.stdin.write(keys);
  const shows = (text: string | RegExp) => eventually(() => expect(lines().join('\n')).toMatch(text));

  return {
    terminal,
    ended,
    lines,
    text: () => lines().join('\n'),
    type,
    shows,
    /** Types keys, waits until the screen shows a text, and types the next keys. */
    plays: async (...steps: readonly (readonly [keys: string, shows: string | RegExp])[]) => {
      for (const [keys, expected] of steps) {
        type(keys);
        await shows(expected);
      }
    },
    hides: (text: string) => eventually(() => expect(lines().join('\n')).not.toContain(text)),
    /** Returns the output since the last call. */
    written: () => {
      const now = written;
      written = '';
      return now;
    },
    resize: (size: Size) => {
      terminal.resize(size.columns, size.rows);
      const tty = readFileSync(ttyFile, 'utf8').trim();
      execFileSync('stty', ['-F', tty, 'cols', String(size.columns), 'rows', String(size.rows)]);
    },
    /** Sends a signal to ralph. */
    signal: (signal: NodeJS.Signals) => process.kill(Number(readFileSync(pidFile, 'utf8')), signal),
    /** Returns the settings of the terminal before and after, without its size. */
    settings: () =>
      [before, after].map((file) =>
        existsSync(file) ? readFileSync(file, 'utf8').replace(/rows \d+; columns \d+;/, '') : '',
      ),
  };
}
