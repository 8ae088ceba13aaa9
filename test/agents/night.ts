import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { randomNumbers } from '../helpers/random-tree.ts';
import type { Place } from './bench.ts';
import type { Call, Scenario, Turn } from './model/scenario.ts';
import { says, shell, write } from './talk.ts';

export const TASKS = ['T-1', 'T-2', 'T-3', 'T-4', 'T-5'] as const;
/** Attempts that each task takes: all but the last do a part of it and claim nothing. */
const PARTS = 4;
export const ATTEMPTS = TASKS.length * PARTS;
/** How often a night has each kind of mistake. */
const TIMES_EACH = 5;

export const LIST = `# Plan\n\n## Tasks\n\n${TASKS.map((id) => `- [ ] **${id}** Write the parts of src/${id}`).join('\n')}\n`;

/** A step of the model that isn't the work itself, as real ones take them. `name` is unique in the night. */
type Slip = (place: Place, name: string) => readonly Turn[];

const calls =
  (...commands: readonly ((name: string) => string)[]): Slip =>
  (_place, name) =>
    commands.map((command) => says('', shell(command(name))));

/** What happens on an ordinary night. None of it is a reason to end an attempt. */
export const SLIPS: Readonly<Record<string, Slip>> = {
  'a single word': calls(() => 'ls'),
  quotes: calls(() => `printf '%s\\n' "it's \\"quoted\\"" 'and "so" on'`),
  'a pipe': calls(() => 'cat README.md | wc -l && git status --short | head -n 3'),
  'a here-document': calls((name) => `cat <<'END' > src/note-${name}.md\nIt's a "note": $HOME\nEND`),
  'a command that fails': calls((name) => `cat src/missing-${name}.txt`),
  'a temporary file of one command': calls(() => 't=$(mktemp) && echo x > "$t" && cat "$t" && rm "$t"'),
  'a temporary folder of two commands': calls(
    (name) => `mkdir -p "\${TMPDIR:-/tmp}/build-${name}" && touch "\${TMPDIR:-/tmp}/build-${name}/x"`,
    (name) => `rm -r "\${TMPDIR:-/tmp}/build-${name}"`,
  ),
  'a program in the background': calls(() => 'nohup tail -f /dev/null >/dev/null 2>&1 & echo begun'),
  'an answer that fails': () => [{ kind: 'fails', status: 500, message: 'Internal server error' }],
  'an answer that is cut off': () => [{ kind: 'cut', text: 'HALF-AN-ANSWER that ends here.' }],
};

/** The slips of each attempt, dealt like cards, so that the night has every kind equally often. */
export function dealt(seed: number, kinds: readonly string[]): readonly (readonly string[])[] {
  const random = randomNumbers(seed);
  const deck = kinds.flatMap((kind) => Array.from({ length: TIMES_EACH }, () => kind));
  for (let last = deck.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [deck[last], deck[other]] = [deck[other] as string, deck[last] as string];
  }
  const hands: string[][] = Array.from({ length: ATTEMPTS }, () => []);
  deck.forEach((kind, index) => {
    // To the shortest hand that doesn't hold this kind yet: nobody makes the same mistake all the time.
    const turn = Array.from({ length: ATTEMPTS }, (_, step) => hands[(index + step) % ATTEMPTS] as string[]);
    const free = turn.filter((hand) => !hand.includes(kind));
    free.toSorted((one, other) => one.length - other.length)[0]?.push(kind);
  });
  return hands;
}

/** A model that does five tasks in twenty attempts, with the mistakes of an ordinary night among its steps. */
export function nightOf(place: Place, seed: number, kinds = Object.keys(SLIPS)): Scenario {
  const hands = dealt(seed, kinds);
  const plans = new Map<string, readonly Turn[]>();
  const troubles = new Set<Turn>();
  return {
    turns: [says('')],
    answers: ({ results, body }) => {
      const task = /Work on task (T-\d) only/.exec(body)?.[1] ?? 'T-1';
      if (results.length === 0) {
        const part = partsOf(place, task) + 1;
        const name = `${task}-${part}`;
        const attempt = Number(task.slice(2)) * PARTS - PARTS + part - 1;
        if (!plans.has(name)) plans.set(name, turnsOf(place, task, part, hands[attempt] ?? []));
        plans.set(task, plans.get(name) ?? []);
      }
      return nextTurn(plans.get(task) ?? [], results.length, troubles);
    },
  };
}

function partsOf({ root }: Place, task: string): number {
  let parts = 0;
  while (existsSync(join(root, `src/${task}/part-${parts + 1}.txt`))) parts += 1;
  return parts;
}

function turnsOf(place: Place, task: string, part: number, hand: readonly string[]): readonly Turn[] {
  const path = `src/${task}/part-${part}.txt`;
  const content = `part ${part} of ${task}\n`;
  const slips = hand.flatMap((kind, index) => SLIPS[kind]?.(place, `${task}-${part}-${index}`) ?? []);
  const half = Math.ceil(slips.length / 2);
  // Some agents make no folder for a file that they write.
  const work: Call = write(place, path, content);
  const steps = [
    ...slips.slice(0, half),
    says('The folder first.', shell(`mkdir -p src/${task}`)),
    says('Now the file.', work),
    ...slips.slice(half),
  ];
  const last =
    part < PARTS
      ? says(`${path} is written; the next part follows.`)
      : says(`All parts of ${task} are written.\n\n${claimOf(task, `${path}:1 written`)}`);
  return [...steps, last];
}

function claimOf(task: string, evidence: string): string {
  return `RALPH_STATUS\nTASK: ${task}\nSTATUS: DONE\nEXIT_SIGNAL: true\nEVIDENCE:\n- ${evidence}\nEND_RALPH_STATUS`;
}

/** The step after so many results of tools. A trouble of the service comes once, before the step that it delays. */
function nextTurn(turns: readonly Turn[], results: number, troubles: Set<Turn>): Turn {
  let seen = 0;
  for (const turn of turns) {
    if (turn.kind === 'says') {
      if (seen === results) return turn;
      seen += turn.calls?.length ?? 0;
    } else if (seen === results && !troubles.has(turn)) {
      troubles.add(turn);
      return turn;
    }
  }
  return turns.at(-1) ?? says('');
}
