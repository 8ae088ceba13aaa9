import { shellQuote } from 'ralph-kit/shell-quote';

const PRD = `# A small greeting library

## Tasks

- [ ] **T-1** Greet a person by name
  - \`src/greet.js\` exists
- [ ] **T-2** Say goodbye, too
  - Depends on: T-1
`;

const CONFIG = `[loop]
agent = "scripted"

[gates]
commands = [{ name = "test", run = "sh test.sh" }]
`;

/** The gate of the demo. It fails on source files with TODOs, and needs only a shell. */
const GATE = `#!/bin/sh
status=0
for file in src/*.js; do
  [ -e "$file" ] || continue
  if grep -q TODO "$file"; then echo "$file: TODO left in it"; status=1; fi
done
exit $status
`;

/** Writing through a shell command makes the scripted agent ask for permission as real agents do. */
function write(path: string, content: string) {
  return { action: 'shell', command: `mkdir -p src && printf %s ${shellQuote(content)} > ${path}` };
}

export function done(evidence: string) {
  return { action: 'status', status: 'DONE', exit_signal: true, evidence: [evidence] };
}

const SCENARIO = {
  output: 'claude-stream',
  steps: [
    {
      when: { task: 'T-1', feedback: false },
      do: [
        { action: 'print', text: 'I looked at the code and implemented the greeting. All tests pass.' },
        done('src/greet.js:1-3 the greeting'),
      ],
    },
    {
      when: { task: 'T-1' },
      do: [
        write('src/greet.js', 'export function greet(name) {\n  return "Hello, " + name + "!";\n}\n'),
        done('src/greet.js:1-3 greets by name'),
      ],
    },
    {
      when: { task: 'T-2', feedback: false },
      do: [
        write('src/goodbye.js', 'export function goodbye(name) {\n  // TODO\n}\n'),
        done('src/goodbye.js:1-3 says goodbye'),
      ],
    },
    {
      when: { task: 'T-2' },
      do: [
        write('src/goodbye.js', 'export function goodbye(name) {\n  return "Goodbye, " + name + ".";\n}\n'),
        done('src/goodbye.js:2 says goodbye'),
      ],
    },
  ],
};

/** Scratch repository of `ralph demo`: two tasks, a gate, and an agent that lies twice before it works. */
export const DEMO_FILES: Readonly<Record<string, string>> = {
  'README.md': '# A small greeting library\n',
  'test.sh': GATE,
  '.ralph/PRD.md': PRD,
  '.ralph/ralph.toml': CONFIG,
  '.ralph/scenario.json': `${JSON.stringify(SCENARIO, null, 2)}\n`,
};
