// Reviews commands as a run does (parsing to ruling, record and log line), and prints milliseconds as JSON: `ordinary`
// and `parsed` (the bare parser on the same text) for each ordinary command, `hostile` for each that is made to take long.
import { parse } from 'unbash';
import { openLineLog } from '../../src/io/store/files/line-log.ts';
import { openReviewer } from '../../src/loop/watch/reviewer.ts';
import { actionOf } from '../../test/helpers/action.ts';
import { REVIEWER } from '../../test/helpers/reviewing.ts';

const [, , log = '', rounds = '1'] = process.argv;
const LONGEST = 16 * 1024;

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

const fill = (piece: string) => piece.repeat(Math.floor(LONGEST / piece.length));
const nested = (open: string, close: string, inner: string) => {
  const depth = Math.floor((LONGEST - inner.length) / (open.length + close.length));
  return open.repeat(depth) + inner + close.repeat(depth);
};

/** As long as is read of a command. */
const HOSTILE = [
  nested('echo $(', ')', 'rm -rf /srv/x'),
  nested('$(echo ', ')', 'x'),
  nested('(', ')', 'true'),
  nested('{ ', '; }', 'true'),
  nested('if true; then ', '; fi', 'true'),
  nested('bash -c "', '"', 'true'),
  fill('rm -rf x$(echo y)z; '),
  fill('a=$a$a; '),
  fill('{a,b}'),
  fill('echo {a,b}{c,d}{e,f} > x; '),
  fill('x=y cd .. && '),
  fill('env -i sh -c true; '),
  fill("python3 -c 'import os; os.remove(1)'; "),
  fill('git -c alias.x=!true x; '),
  fill('a | '),
  fill('"$(<'),
  fill('\\'),
  fill('case x in x) echo;; esac; '),
];

const writer = openLineLog(log, 'the log');
const place = {
  root: '/repo',
  home: '/home/me',
  protectedFolders: ['/home/me/.local/state/ralph'],
  restricted: null,
  realPath: (path: string) => path,
  tmpdir: { path: '/tmp', own: false },
  bornAt: (path: string) => (path.startsWith('/tmp/') ? null : -1),
  textSince: () => null,
  entries: () => [],
};
const clock = { now: () => new Date().toISOString(), monotonicMs: () => performance.now() };
const onReview = (record: object) => writer.append(JSON.stringify(record));

function timed(work: () => void): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

/** A run of its own for each, so that none finds what another one left. */
function review(command: string): number {
  const reviewer = openReviewer({ ...REVIEWER, place, clock, onReview }, false);
  const action = actionOf('Bash', { command }, { id: '1' });
  return timed(() => void reviewer.judge(action, { warn: true, modify: true }, 'hook'));
}

const ordinary: number[] = [];
const parsed: number[] = [];
for (let round = 0; round < Number(rounds); round += 1) {
  for (const command of ORDINARY) {
    ordinary.push(review(command));
    parsed.push(timed(() => void parse(command)));
  }
}
const hostile = HOSTILE.map((command) => Math.min(review(command), review(command), review(command)));
process.stdout.write(JSON.stringify({ ordinary, parsed, hostile }));
