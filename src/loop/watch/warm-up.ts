/** Commands of many kinds. Their first reviews run most of the code of the review. */
const COMMANDS = [
  'cd src && grep -rn "x" . | head -20; rm -f a.log && git commit -m "x" > out.txt',
  'npm test -- --run src/cart.test.ts 2>&1 | tail -50',
  'find . -name "*.js" -not -path "./node_modules/*" | xargs grep -l TODO',
  'for f in src/*.ts; do wc -l "$f"; done | sort -n',
  'T=$(mktemp -d); cp -r src "$T"; bash -c "ls $T"; rm -rf "$T"',
  "cat > notes.md <<'EOF'\n# Notes\n$x\nEOF",
  'python3 -c \'import os; os.remove("a")\'',
  'if [ -f a ]; then curl -s http://localhost:3000/health | jq .status; else echo {a,b}/c; fi',
  "sed -i 's/18/22/' ci.yml; docker compose up -d db; env A=$((1+1)) make test",
];
const ROUNDS = 10;

let done = 0;

/** Makes the first reviews of a process, which are slow: one at once, the others when the process is idle. */
export function warmUp(review: (command: string) => void): void {
  if (done >= COMMANDS.length * ROUNDS) return;
  review(COMMANDS[done % COMMANDS.length] ?? '');
  done += 1;
  setImmediate(warmUp, review).unref();
}
