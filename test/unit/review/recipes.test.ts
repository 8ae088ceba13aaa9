// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates.
import { describe, expect, it } from 'vitest';
import { rulingWith } from './place.ts';

const DELETES = 'deny deletion_outside';

const JUST = `
root := "/etc"
where := root / "x"
stamp := \`date\`

alias c := clean

default: build

[private]
build target='dist' *rest:
    @echo building {{target}} {{rest}}

clean: build
    -rm -rf {{where}}

drop path='dist':
    rm -rf {{path}}

deep: (drop "dist") && clean
    true

py:
    #!/usr/bin/env python3
    import shutil
    shutil.rmtree("/etc/x")
`;

const TASKS = `
version: '3'
vars:
  ROOT: /etc
tasks:
  default:
    cmds:
      - task: build
  build:
    desc: rm -rf /etc/x is what it doesn't do
    deps: [generate]
    sources: ['src/**']
    cmds:
      - tsc -p .
      - echo "a: b" # rm -rf /etc/x
  generate: echo made
  clean:
    cmds:
      - cmd: rm -rf {{.ROOT}}/x
        silent: true
  listed:
    - echo a
    - 'rm -rf /etc/x'
  needs:
    deps:
      - task: clean
  checked:
    status:
      - rm -rf /etc/x
    cmds: [echo hi]
  flow:
    cmds: [echo hi, "rm -rf /etc/x"]
  block:
    cmds:
      - |
        set -e
        rm -rf /etc/x
  folded:
    cmds:
      - >-
        rm -rf
        /etc/x
  given:
    cmds: ['rm -rf {{.CLI_ARGS}}']
`;

const PACKAGE = JSON.stringify({
  scripts: { build: 'wireit', watch: 'wireit', 'ci:a': 'tsc', 'ci:b': 'rm -rf /etc/x', ok: 'tsc' },
  wireit: {
    build: { command: 'tsc', dependencies: ['clean'] },
    clean: { command: 'rm -rf /etc/x' },
    watch: { command: 'tsc --watch' },
  },
  'lint-staged': { '*.ts': ['eslint --fix', 'rm -rf /etc/x'] },
});

describe('what a program finds in a file of recipes is judged when it runs it', () => {
  it.each([
    ['justfile', JUST, 'just', 'allow'],
    ['justfile', JUST, 'just build', 'allow'],
    ['justfile', JUST, 'just clean', DELETES],
    ['justfile', JUST, 'just c', DELETES],
    ['justfile', JUST, 'just --list', 'allow'],
    ['justfile', JUST, 'just -n clean', 'allow'],
    ['justfile', JUST, 'just drop', 'allow'],
    ['justfile', JUST, 'just drop build', 'allow'],
    ['justfile', JUST, 'just drop /etc/x', DELETES],
    ['justfile', JUST, 'just deep', DELETES],
    ['justfile', JUST, 'just py', DELETES],
    ['.justfile', JUST, 'just clean', DELETES],
    ['justfile', JUST, 'cd src && just clean', DELETES],
    ['ci/tasks.just', JUST, 'just -f ci/tasks.just clean', DELETES],
    ['justfile', 'x := `rm -rf /etc/x`\nok:\n    true\n', 'just ok', DELETES],
    ['justfile', 'ok:\n    echo "rm -rf /etc/x"\n', 'just ok', 'allow'],
    ['justfile', "ok:\n    rm -rf {{env('HOME')}}/x\n", 'just', DELETES],
    ['Taskfile.yml', TASKS, 'task', 'allow'],
    ['Taskfile.yml', TASKS, 'task build', 'allow'],
    ['Taskfile.yml', TASKS, 'task generate', 'allow'],
    ['Taskfile.yml', TASKS, 'task clean', DELETES],
    ['Taskfile.yml', TASKS, 'go-task clean', DELETES],
    ['Taskfile.yml', TASKS, 'task --dry clean', 'allow'],
    ['Taskfile.yml', TASKS, 'task --list', 'allow'],
    ['Taskfile.yml', TASKS, 'task listed', DELETES],
    ['Taskfile.yml', TASKS, 'task needs', DELETES],
    ['Taskfile.yml', TASKS, 'task checked', DELETES],
    ['Taskfile.yml', TASKS, 'task flow', DELETES],
    ['Taskfile.yml', TASKS, 'task block', DELETES],
    ['Taskfile.yml', TASKS, 'task folded', DELETES],
    ['Taskfile.yml', TASKS, 'task given -- dist', 'allow'],
    ['Taskfile.yml', TASKS, 'task given -- /etc/x', DELETES],
    ['ci/t.yml', TASKS, 'task -t ci/t.yml clean', DELETES],
    ['Taskfile.yml', 'tasks:\n  a:\n    vars:\n      X: {sh: rm -rf /etc/x}\n', 'task a', DELETES],
    ['Taskfile.yml', 'x: &a rm -rf /etc/x\ntasks:\n  a:\n    cmds: \n      - *a\n', 'task a', DELETES],
    ['package.json', PACKAGE, 'npm run build', DELETES],
    ['package.json', PACKAGE, 'npm run watch', 'allow'],
    ['package.json', PACKAGE, 'run-p ok watch', 'allow'],
    ['package.json', PACKAGE, "npx run-s 'ci:*'", DELETES],
    ['package.json', PACKAGE, 'npm-run-all --parallel ok ci:b', DELETES],
    ['package.json', PACKAGE, 'concurrently npm:ok "npm:ci:b"', DELETES],
    ['package.json', PACKAGE, 'concurrently npm:ok', 'allow'],
    ['package.json', PACKAGE, 'npx lint-staged', DELETES],
    ['deno.json', '{ "tasks": { "a": { "command": "rm -rf /etc/x" } } }', 'deno task a', DELETES],
    ['composer.json', '{ "scripts": { "a": ["@php x.php", "rm -rf /etc/x"] } }', 'composer a', DELETES],
    ['Procfile', 'web: node server.js\njob: rm -rf /etc/x\n', 'foreman start', DELETES],
    ['Procfile', 'web: node server.js\n', 'overmind start', 'allow'],
    ['Procfile.dev', 'job: rm -rf /etc/x\n', 'honcho start -f Procfile.dev', DELETES],
    ['s.conf', '[program:x]\ncommand=rm -rf /etc/x\n', 'supervisord -c s.conf', DELETES],
    ['s.conf', '[program:x]\ncommand=node x.js\n', 'supervisord -n -c s.conf', 'allow'],
    [
      'ecosystem.config.js',
      'module.exports = { apps: [{ name: "x", script: "rm", args: "-rf /etc/x" }] };',
      'pm2 start',
      DELETES,
    ],
    [
      'pm2.json',
      '{ "apps": [{ "script": "bash", "args": ["-c", "rm -rf /etc/x"] }] }',
      'pm2 start pm2.json',
      DELETES,
    ],
    [
      'ecosystem.config.js',
      'module.exports = { apps: [{ script: "dist/server.js", args: "--port 80" }] };',
      'pm2 start ecosystem.config.js',
      'allow',
    ],
    ['tox.ini', '[testenv]\ndeps = pytest\ncommands =\n    pytest\n    rm -rf /etc/x\n', 'tox', DELETES],
    ['tox.ini', '[testenv]\ncommands = pytest\ndescription = rm -rf /etc/x\n', 'tox -e py', 'allow'],
    [
      'pyproject.toml',
      '[tool.poe.tasks.x]\nhelp = "rm -rf /etc/x"\ncmd = "rm -rf /etc/x"\n',
      'poe x',
      DELETES,
    ],
    ['pyproject.toml', '[tool.poe.tasks]\ntest = "pytest -q"\n', 'poe test', 'allow'],
    ['mise.toml', '[tasks.x]\nrun = """\nset -e\nrm -rf /etc/x\n"""\n', 'mise run x', DELETES],
    ['Makefile.toml', '[tasks.x]\ncommand = "rm"\nargs = ["-rf", "/etc/x"]\n', 'cargo make x', DELETES],
    [
      'lefthook.yml',
      'pre-commit:\n  commands:\n    a:\n      run: rm -rf /etc/x\n',
      'lefthook run pre-commit',
      DELETES,
    ],
  ])('%s, %j: %s: %s', (name, text, command, expected) => {
    expect(rulingWith({ [name]: text }, command)).toBe(expected);
  });

  it('long ones are denied unread, but for makefiles, which programs write', () => {
    const padding = '# x\n'.repeat(9000);
    expect(rulingWith({ justfile: `ok:\n    true\n${padding}` }, 'just ok')).toBe('deny unparsed');
    expect(rulingWith({ Procfile: `web: true\n${padding}` }, 'foreman start')).toBe('deny unparsed');
    expect(rulingWith({ Makefile: `ok:\n\ttrue\n${padding}` }, 'make ok')).toBe('allow');
    expect(rulingWith({ Makefile: `ok:\n\ttrue\n${padding}\nx:\n\trm -rf /etc/x\n` }, 'make x')).toBe(
      DELETES,
    );
  });

  it.each([
    ['Taskfile.yml', 'includes:\n  ci: ./ci.yml\ntasks: {}\n', 'ci.yml', TASKS, 'task ci:clean'],
    ['justfile', "import 'ci.just'\nok:\n    true\n", 'ci.just', JUST, 'just clean'],
    ['Makefile', 'include ci.mk\nok:\n\ttrue\n', 'ci.mk', 'clean:\n\trm -rf /etc/x\n', 'make clean'],
  ])('%s takes another file in', (name, text, other, otherText, command) => {
    expect(rulingWith({ [name]: text, [other]: otherText }, command)).toBe(DELETES);
    expect(rulingWith({ [name]: text }, command)).toBe('allow');
  });
});
