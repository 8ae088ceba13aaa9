// Reviews commands as a run does (parsing to ruling, record and log line). Prints milliseconds of wall time and of the
// processor as JSON: `ordinary` and `parsed` (the bare parser on the same text) for each ordinary command, `hostile`
// for each command that is made to take long.
import { readFileSync } from 'node:fs';
import { parse } from 'unbash';
import { openReviewer } from '../../src/loop/watch/reviewer.ts';
import { openLineLog } from '../../src/store/line-log.ts';
import { actionOf } from '../../test/helpers/action.ts';
import { HOSTILE } from '../../test/helpers/hostile.ts';
import { REVIEWER } from '../../test/helpers/reviewing.ts';
import { machinePlace } from './machine-place.ts';

const [, , log = '', rounds = '1'] = process.argv;

const ORDINARY = [
  'npm test -- --run src/cart.test.ts 2>&1 | tail -50',
  'npx tsc --noEmit 2>&1 | head -40',
  'git status --short && git diff --stat',
  'git add -A && git commit -m "Add a discount to the cart"',
  'rm -rf dist && npm run build && ls -la dist',
  "sed -i 's/18/22/' .github/workflows/ci.yml",
  'grep -rn "discount" src --include=*.ts | head -20',
  "cat > notes.md <<'EOF'\n# Notes\nrm -rf is only a word here\nEOF",
  'for f in src/*.ts; do wc -l "$f"; done | sort -n',
  'python3 -m pytest tests/test_cart.py::test_total -x -q',
  'cargo test --workspace -- --nocapture',
  'go build ./... && go vet ./...',
  "find . -name '*.js' -not -path './node_modules/*' | xargs grep -l TODO",
  'curl -s http://localhost:3000/health | jq .status',
  'docker compose up -d db && sleep 2 && npm run migrate',
  'make -j4 CFLAGS="-O2 -g" test',
];

const writer = openLineLog(log, 'the log');
const place = machinePlace();
const clock = {
  now: () => new Date().toISOString(),
  monotonicMs: () => performance.now(),
  processorMs: () => performance.now(),
};
const onReview = (record: object) => writer.append(JSON.stringify(record));

/** Returns the processor time that this thread has used so far, in milliseconds. */
function processorMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

type Taken = { readonly wall: number; readonly processor: number };

async function timed(work: () => unknown): Promise<Taken> {
  const [begin, computed] = [performance.now(), processorMs()];
  await work();
  return { wall: performance.now() - begin, processor: processorMs() - computed };
}

/** Reviews a command in a run of its own, so that no review finds what another one left. */
function review(tool: string, input: Record<string, unknown>): Promise<Taken> {
  const reviewer = openReviewer({ ...REVIEWER, place, clock, onReview }, false);
  const action = actionOf(tool, input, { id: '1' });
  return timed(() => reviewer.judge(action, { warn: true, modify: true }, 'hook'));
}

const ordinary: number[] = [];
const parsed: number[] = [];
for (let round = 0; round < Number(rounds); round += 1) {
  for (const command of ORDINARY) {
    ordinary.push((await review('Bash', { command })).wall);
    parsed.push((await timed(() => parse(command))).wall);
  }
}
const hostile: Taken[] = [];
for (const { tool, input } of HOSTILE) {
  const rounds = [await review(tool, input), await review(tool, input), await review(tool, input)];
  const least = (kind: keyof Taken) => Math.min(...rounds.map((each) => each[kind]));
  hostile.push({ wall: least('wall'), processor: least('processor') });
}
process.stdout.write(JSON.stringify({ ordinary, parsed, hostile }));
