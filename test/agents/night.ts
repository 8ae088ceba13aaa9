import { randomNumbers } from '../helpers/random-tree.ts';
import type { Place } from './bench.ts';
import type { Scenario, Turn } from './model/scenario.ts';
import { leavesServer, type Slip, slipsOf } from './slips.ts';
import { says, shell, write } from './talk.ts';

export const TASKS = ['T-1', 'T-2', 'T-3', 'T-4', 'T-5'] as const;
/** Attempts that each task takes: all but the last do a part of it and claim nothing. */
const PARTS = 4;
export const ATTEMPTS = TASKS.length * PARTS;
/** How often a night has each kind of mistake. */
const TIMES_EACH = 5;

export const LIST = `# Plan\n\n## Tasks\n\n${TASKS.map((id) => `- [ ] **${id}** Write the parts of src/${id}`).join('\n')}\n`;

/** Some wait for what they started, and ralph for them, 10 s: one attempt is enough for that. */
const LEAVES_SERVER = 'T-3-2';

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
    // To the shortest hand that doesn't hold this kind yet: agents don't make the same mistake all the time.
    const turn = Array.from({ length: ATTEMPTS }, (_, step) => hands[(index + step) % ATTEMPTS] as string[]);
    const free = turn.filter((hand) => !hand.includes(kind));
    free.toSorted((one, other) => one.length - other.length)[0]?.push(kind);
  });
  return hands;
}

/** What the model does in one attempt. Where that ends before `isOver`, the next one does the rest: `again`. */
type Plan = {
  readonly part: number;
  readonly turns: readonly Turn[];
  readonly again: readonly Turn[];
  hasBegun: boolean;
  isOver: boolean;
};

/** A model that does five tasks in twenty attempts, with the mistakes of an ordinary night among its steps. */
export function nightOf(agent: string, place: Place, seed: number): Scenario {
  const slips = slipsOf(agent);
  const hands = dealt(seed, Object.keys(slips));
  const plans = new Map<string, Plan>();
  const troubles = new Set<Turn>();
  return {
    turns: [says('')],
    answers: ({ results, body }) => {
      const task = /Work on task (T-\d) only/.exec(body)?.[1] ?? 'T-1';
      const before = plans.get(task) ?? { part: 0, turns: [], again: [], hasBegun: false, isOver: true };
      const isFirst = results.length === 0;
      let plan = before;
      if (isFirst && before.isOver)
        plan = planOf(agent, place, { task, part: before.part + 1, hands, slips });
      else if (isFirst && before.hasBegun) plan = { ...before, turns: before.again, hasBegun: false };
      plans.set(task, plan);
      plan.hasBegun ||= results.length > 0;
      const turn = nextTurn(plan.turns, results.length, troubles);
      if (turn === plan.turns.at(-1)) plan.isOver = true;
      return turn;
    },
  };
}

type Attempt = {
  readonly task: string;
  readonly part: number;
  readonly hands: ReturnType<typeof dealt>;
  readonly slips: Readonly<Record<string, Slip>>;
};

function planOf(agent: string, place: Place, { task, part, hands, slips }: Attempt): Plan {
  const path = `src/${task}/part-${part}.txt`;
  const hand = hands[(TASKS as readonly string[]).indexOf(task) * PARTS + part - 1] ?? [];
  const done = hand.flatMap((kind, index) => slips[kind]?.(place, `${task}-${part}-${index}`) ?? []);
  const half = Math.ceil(done.length / 2);
  const rest = [
    // Some agents make no folder for a file that they write.
    says('The folder first.', shell(`mkdir -p src/${task}`)),
    says('Now the file.', write(place, path, `part ${part} of ${task}\n`)),
    ...done.slice(half),
    ...(`${task}-${part}` === LEAVES_SERVER ? leavesServer(agent) : []),
    part < PARTS
      ? says(`${path} is written; the next part follows.`)
      : says(`All parts of ${task} are written.\n\n${claimOf(task, `${path}:1 written`)}`),
  ];
  return {
    ...{ part, turns: [...done.slice(0, half), ...rest], again: rest },
    ...{ hasBegun: false, isOver: false },
  };
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
  throw new Error(`no step after ${results} results`);
}
