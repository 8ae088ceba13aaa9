import { startSync } from 'ralph-kit/programs/start/start-program';
import { processesWith } from 'ralph-kit/programs/table/process-table';
import type { Box } from './protocol/index.ts';

/** An escape attempt from inside a box. `what` completes the sentence "it was possible to …". */
export type Tried = {
  readonly what: string;
  readonly possible: boolean;
  /** Whether only a box with all of its parts prevents this escape. */
  readonly needsWhole: boolean;
};

export type ProbePlaces = {
  readonly root: string;
  /** Absolute paths that must not be writable; missing ones aren't tried. */
  readonly readOnly: readonly string[];
  readonly fixed: readonly string[];
  readonly hidden: readonly string[];
};

const PROBE_MS = 20_000;
const TRIES = 100;
const TRY_EVERY_MS = 20;
/** Environment variable that identifies a process which outlived its box. */
const MARK = 'RALPH_BOX_PROBE';

/**
 * Tries each action in a shell and prints whether it worked. A file is opened for writing and left unchanged; a
 * folder gets a file that is removed again. Renaming could succeed, so the list of mounts is read instead; it has
 * blanks and backslashes as octal numbers.
 */
const SCRIPT = `
answer() { if [ "$2" = 0 ]; then echo "possible $1"; else echo "impossible $1"; fi; }
while [ $# -gt 0 ]; do
  kind=$1 path=$2
  shift 2
  case $kind in
    write) if [ -d "$path" ]; then (: > "$path/.ralph-probe") && rm -f "$path/.ralph-probe"; else (: >> "$path"); fi ;;
    rename) ! grep -qF " $(printf %s "$path" | sed 's/\\\\/\\\\134/g; s/ /\\\\040/g; s/\t/\\\\011/g') " /proc/self/mountinfo ;;
    read) if [ -d "$path" ]; then [ -n "$(ls -A "$path")" ]; else [ -n "$(head -c 1 "$path")" ]; fi ;;
    signal) kill -0 "$path" ;;
    socket) [ -S "$path" ] ;;
  esac 2>/dev/null
  answer "$kind $path" $?
done
(setsid sleep 60 &) >/dev/null 2>&1
`;

/** Tries to escape from the box, and returns which ways worked, outliving the box among them; `null` when the box can't be made. */
export function probeBox(box: Box, { root, readOnly, fixed, hidden }: ProbePlaces): readonly Tried[] | null {
  const token = `${process.pid}.${Date.now()}`;
  const env = { ...process.env, [MARK]: token };
  const opened = box.open({
    role: 'agent',
    program: '/bin/sh',
    cwd: root,
    env,
    visible: [],
    home: null,
    agent: '',
    inherits: { which: 'all', additional: [MARK] },
  });
  try {
    const questions = [
      ...readOnly.map((path) => ['write', path]),
      ...fixed.map((path) => ['rename', path]),
      ...hidden.map((path) => ['read', path]),
      ['signal', String(process.pid)],
      ...['/run/docker.sock', '/run/dbus/system_bus_socket'].map((path) => ['socket', path]),
    ];
    const args = [...opened.args, '--', '/bin/sh', '-c', SCRIPT, 'sh', ...questions.flat()];
    const run = startSync(opened.program, args, {
      cwd: root,
      env: opened.env,
      timeout: PROBE_MS,
    });
    if (run.status !== 0) return null;
    const lines = run.stdout.trim().split('\n');
    const tried = lines.flatMap((line): Tried[] => {
      const [, answer, kind = '', subject = ''] = /^(possible|impossible) (\w+) (.*)$/.exec(line) ?? [];
      return answer === undefined
        ? []
        : [
            {
              what: WORDS[kind]?.(subject) ?? kind,
              possible: answer === 'possible',
              needsWhole: kind === 'signal',
            },
          ];
    });
    const survived = isAlive(token);
    return [...tried, { what: 'leave a process behind', possible: survived, needsWhole: true }];
  } finally {
    opened.close();
  }
}

/** The kernel ends a box's processes some milliseconds after bubblewrap. */
function isAlive(token: string): boolean {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (![...processesWith(MARK).values()].includes(token)) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, TRY_EVERY_MS);
  }
  return true;
}

const WORDS: Readonly<Record<string, (subject: string) => string>> = {
  write: (path) => `write ${path}`,
  rename: (path) => `rename ${path}`,
  read: (path) => `read ${path}`,
  signal: () => 'signal ralph',
  socket: (path) => `reach ${path}`,
};
