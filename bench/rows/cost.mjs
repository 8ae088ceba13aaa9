import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { BIN, env, ROOT, repository, run, SAYS_DONE, scratch } from '../tools.mjs';

/** Number of measurements of each side, in turns. The least counts, because other programs only ever add to it. */
const TURNS = Number(process.env.BENCH_TURNS ?? 5);
/** Tasks of a measured run. The cost of a run with one task is taken off, because it contains what a run costs once. */
const TASKS = Number(process.env.BENCH_TASKS ?? 30);
/** Folder of an earlier build (`npm run build`) with which wall times are compared. */
const BEFORE = process.env.BENCH_BEFORE;

/** An agent that writes one file and claims to be done. */
const AGENT = `#!/bin/sh
cat > /dev/null
now=$(date +%s%N)
echo "$now" > "out-$now.txt"
${SAYS_DONE}
`;

/**
 * The shell loop that ralph is compared with: agent, gate and commit, with two `git status` around the agent that show
 * what it changed.
 */
const SHELL_LOOP = `for i in $(seq "$TASKS"); do
  git status --porcelain > ../before; ../codex < /dev/null > ../said; git status --porcelain > ../after
  sh -c true && git add -A && git commit --quiet -m "$i"
done`;

/** Makes a repository with a number of tasks and one gate that does nothing. */
function withGate(files, tasks, { script = AGENT, gate = 'true', more = '' } = {}) {
  const place = repository(files, tasks, script);
  const settings = `[proof]\nmode = "off"\n[gates]\ncommands = [${JSON.stringify(gate)}]\n${more}`;
  appendFileSync(join(place.folder, '.ralph/ralph.toml'), settings);
  run(['git', 'commit', '--quiet', '--all', '-m', 'gate'], { cwd: place.folder });
  return place;
}

const inside = ({ agent }, more = {}) => ({ ...env, PATH: `${dirname(agent)}:${env.PATH}`, ...more });

/** Returns the processor time in seconds of a program and of all programs that it started and waited for. */
function processorTime(argv, options, allowed) {
  const { stdout } = run(
    ['sh', '-c', '"$@" > /dev/null 2>&1; code=$?; times; exit $code', 'sh', ...argv],
    options,
    allowed,
  );
  const [user, system] = stdout.trim().split('\n').at(-1).split(' ').map(secondsOf);
  return user + system;
}

/** Returns the seconds of a time such as `1m2.5s`, which is 62.5. */
function secondsOf(text) {
  const [minutes, seconds] = text.replace('s', '').split('m').map(Number);
  return minutes * 60 + seconds;
}

const ralphRun = (tasks, bin = BIN) => [
  process.execPath,
  bin,
  'run',
  '--quiet',
  '--max-iterations',
  String(tasks),
];
const least = (values) => Math.min(...values);

/** Returns the processor time in seconds that a task costs in a run of ralph. */
function ofRalph(files, tasks) {
  const place = withGate(files, 1 + 1 + tasks + 1);
  const cost = (count) => processorTime(ralphRun(count), { cwd: place.folder, env: inside(place) }, [0, 3]);
  // The first run makes the copies of the work tree, so it isn't measured.
  cost(1);
  const once = cost(1);
  return (cost(1 + tasks) - once) / tasks;
}

/** Returns the processor time in seconds that a task costs in the shell loop. */
function ofShell(files, tasks) {
  const place = withGate(files, 1);
  const more = { TASKS: String(tasks) };
  return processorTime(['sh', '-c', SHELL_LOOP], { cwd: place.folder, env: inside(place, more) }) / tasks;
}

let countings = 0;
/** Returns how many programs ralph starts in a run with a number of tasks, by program. */
function startsOf(place, tasks) {
  countings += 1;
  const file = join(scratch, `starts-${countings}`);
  const [node, ...rest] = ralphRun(tasks);
  const probe = join(ROOT, 'bench', 'programs', 'starts.cjs');
  run(
    [node, '--require', probe, ...rest],
    { cwd: place.folder, env: inside(place, { STARTS_FILE: file }) },
    [0, 3],
  );
  const counts = new Map();
  for (const name of readFileSync(file, 'utf8').trim().split('\n'))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const programs = {
  id: 'cost-programs',
  run: () => {
    const place = withGate(1000, TASKS + 2);
    const once = startsOf(place, 1);
    const all = startsOf(place, 1 + TASKS);
    const each = [...all].map(([name, count]) => [name, (count - (once.get(name) ?? 0)) / TASKS]);
    const named = each.filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1]);
    const total = each.reduce((sum, [, count]) => sum + count, 0);
    const list = named
      .slice(0, 12)
      .map(([name, count]) => `${name} ${count.toFixed(1)}`)
      .join(', ');
    const what = `programs that ralph starts for a task, over ${TASKS} tasks (${list})`;
    return [{ what, value: total, baseline: 1, unit: 'programs', atMostAbsolute: 20, rounds: 1 }];
  },
};

const costAt = (files, atMost, tasks = TASKS) => ({
  id: `cost-${files}`,
  run: () => {
    const [ralph, shell] = [[], []];
    for (let turn = 0; turn < TURNS; turn += 1) {
      ralph.push(ofRalph(files, tasks) * 1000);
      shell.push(ofShell(files, tasks) * 1000);
    }
    const what = `processor time of a task at ${files} files, to a shell loop with agent, gate, commit and two git status`;
    return [
      { what, value: least(ralph), baseline: least(shell), unit: 'ms', atMost, rounds: TURNS, least: true },
    ];
  },
});

/** Number of results that exist before the later tasks are measured. */
const RESULTS = Number(process.env.BENCH_RESULTS ?? 300);

const growth = {
  id: 'cost-growth',
  run: () => {
    const tasks = 10;
    const place = withGate(100, RESULTS + 3 * tasks + 1);
    const cost = (count) => processorTime(ralphRun(count), { cwd: place.folder, env: inside(place) }, [0, 3]);
    const stretch = () => (cost(tasks) - cost(1)) / (tasks - 1);
    const first = stretch();
    cost(RESULTS - tasks - 2);
    const what = `processor time of a task behind ${RESULTS} results, to that of the first`;
    return [{ what, value: stretch() * 1000, baseline: first * 1000, unit: 'ms', atMost: 1.15, rounds: 1 }];
  },
};

/** Number of measurements that take a minute each. */
const FILES_TURNS = Math.min(TURNS, 2);
/** Number of new files in one task. */
const FILES = Number(process.env.BENCH_FILES ?? 50_000);
/** Shell text that writes each number into a file of its own. */
const WRITE_FILES = `mkdir big; seq ${FILES} | split --lines=1 --suffix-length=6 --numeric-suffixes - big/file-`;
const WRITING_AGENT = `#!/bin/sh\ncat > /dev/null\n${WRITE_FILES}\n${SAYS_DONE}\n`;

const manyFiles = {
  id: 'cost-files',
  run: () => {
    const [ralph, git] = [[], []];
    for (let turn = 0; turn < FILES_TURNS; turn += 1) {
      const place = withGate(100, 1, { script: WRITING_AGENT });
      ralph.push(wall(place, BIN, 1));
      const landed = run(['git', 'ls-tree', '-r', '--name-only', 'HEAD', 'big/'], {
        cwd: place.folder,
      }).stdout;
      if (landed.split('\n').length !== FILES + 1) throw new Error('the files have not landed');
      const { folder } = withGate(100, 1);
      run(['sh', '-c', WRITE_FILES], { cwd: folder });
      git.push(secondsFor(() => run(['sh', '-c', 'git add -A && git commit --quiet -m x'], { cwd: folder })));
    }
    const what = `a run of one task whose agent writes ${FILES} new files, start and end included, to git add and git commit of the same`;
    const times = { value: least(ralph), baseline: least(git), unit: 's' };
    return [{ what, ...times, atMost: 4, rounds: FILES_TURNS, least: true }];
  },
};

/** Returns the wall time of a run in seconds. */
function wall(place, bin, tasks) {
  return secondsFor(() => run(ralphRun(tasks, bin), { cwd: place.folder, env: inside(place) }, [0, 3]));
}

function secondsFor(work) {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}

const wallTime = {
  id: 'cost-wall',
  run: () => {
    if (BEFORE === undefined) {
      process.stdout.write('cost-wall: not run: BENCH_BEFORE names no folder with another build of ralph\n');
      return [];
    }
    const tasks = 20;
    const [now, before] = [[], []];
    for (let turn = 0; turn < TURNS; turn += 1) {
      now.push(wall(withGate(1000, tasks + 1), BIN, tasks));
      before.push(wall(withGate(1000, tasks + 1), join(BEFORE, 'bin', 'ralph.js'), tasks));
    }
    const what = `a run of ${tasks} tasks whose agent and gate do nothing, to the build in BENCH_BEFORE`;
    return [
      {
        what,
        value: least(now),
        baseline: least(before),
        unit: 's',
        atMost: 0.3,
        rounds: TURNS,
        least: true,
      },
    ];
  },
};

const SLEEPING_AGENT = AGENT.replace('now=', 'sleep 3\nnow=');

const sideBySide = {
  id: 'cost-workers',
  run: () => {
    const tasks = 16;
    const night = (workers) => {
      const more = `[parallel]\nworkers = ${workers}\n`;
      return wall(withGate(100, tasks, { script: SLEEPING_AGENT, gate: 'sleep 0.5', more }), BIN, tasks);
    };
    const [four, one] = [night(4), night(1)];
    const what = `a run of ${tasks} tasks with one worker (agent 3 s, gate 0.5 s), to one with four`;
    return [{ what, value: one, baseline: four, unit: 's', atLeast: 3, rounds: 1 }];
  },
};

/** Output of a fake claude, by which the compared programs learn what their agent said. */
const CLAUDE_SAYS = `printf '%s\\n' \\
  '{"type":"system","subtype":"init","session_id":"s"}' \\
  '{"type":"assistant","message":{"content":[{"type":"text","text":"<promise>COMPLETE</promise>"}]}}' \\
  '{"type":"result","subtype":"success","is_error":false,"result":"<promise>COMPLETE</promise>","usage":{"input_tokens":1,"output_tokens":1},"total_cost_usd":0}'`;

/** An agent for the compared programs, which leave the gate and the commit to the agent. */
const PEERS_AGENT = `#!/bin/sh
[ "$1" = --version ] && echo '2.1.332 (Claude Code)' && exit
now=$(date +%s%N)
echo "$now" > "out-$now.txt"
sh -c true && git add -A && git commit --quiet -m "$now"
${CLAUDE_SAYS}
`;

const PEERS = {
  'ralph-tui': {
    version: '0.11.0',
    argv: [
      'run',
      '--no-tui',
      '--no-setup',
      '--no-notify',
      '--prd',
      './prd.json',
      '--agent',
      'claude',
      '--delay',
      '0',
      '--iterations',
      '0',
    ],
    atMost: 4,
  },
  ralphy: { version: '4.7.2', argv: ['--fast', '--retry-delay', '0'], atMost: 14 },
};
const PEERS_PACKAGES = ['ralph-tui@0.11.0', 'ralphy-cli@4.7.2', 'bun@1.4.5'];

/** Installs the compared programs in a folder of the benchmark and returns the folder of their executables. */
function installed() {
  const folder = join(scratch, 'peers');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const options = ['--no-audit', '--no-fund', '--silent', '--foreground-scripts'];
  // npm's ordinary cache is used, so that packages aren't downloaded for each benchmark.
  run(['npm', 'install', ...options, ...PEERS_PACKAGES], {
    cwd: folder,
    env: { ...env, HOME: process.env.HOME },
  });
  const bin = join(folder, 'node_modules', '.bin');
  if (!existsSync(join(bin, 'bun'))) throw new Error('bun, in which ralph-tui runs, was not installed');
  return bin;
}

/** Tasks of a run that is measured as a whole, start and end included. */
const THREE = 3;

/** Returns the processor time of a compared program's run, in seconds. */
function ofPeer(bin, name) {
  const { folder } = withGate(1000, 1);
  const own = mkdtempSync(join(scratch, 'claude-'));
  writeFileSync(join(own, 'claude'), PEERS_AGENT);
  chmodSync(join(own, 'claude'), 0o755);
  const ids = Array.from({ length: THREE }, (_, at) => `US-${at + 1}`);
  const stories = ids.map((id, at) => ({
    id,
    title: id,
    description: id,
    acceptanceCriteria: [id],
    priority: at + 1,
    passes: false,
  }));
  const list = { name: 'p', branchName: 'main', description: 'd', userStories: stories };
  writeFileSync(join(folder, 'prd.json'), JSON.stringify(list));
  writeFileSync(join(folder, 'PRD.md'), `## Tasks\n${ids.map((id) => `- [ ] ${id}\n`).join('')}`);
  run(['git', 'add', '-A'], { cwd: folder });
  run(['git', 'commit', '--quiet', '-m', 'list'], { cwd: folder });
  const before = commits(folder);
  const argv = [join(bin, name), ...PEERS[name].argv];
  const seconds = processorTime(argv, { cwd: folder, env: { ...env, PATH: `${own}:${bin}:${env.PATH}` } });
  const made = commits(folder) - before;
  if (made !== THREE) throw new Error(`${name} did ${made} of ${THREE} tasks`);
  return seconds;
}

const commits = (folder) => Number(run(['git', 'rev-list', '--count', 'HEAD'], { cwd: folder }).stdout);

const peers = {
  id: 'cost-peers',
  run: () => {
    if (!process.argv.includes('--peers')) {
      process.stdout.write(
        'cost-peers: not run: `--peers` installs ralph-tui and ralphy in a temporary folder\n',
      );
      return [];
    }
    const bin = installed();
    const [ralph, others] = [[], Object.fromEntries(Object.keys(PEERS).map((name) => [name, []]))];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const place = withGate(1000, THREE);
      ralph.push(processorTime(ralphRun(THREE), { cwd: place.folder, env: inside(place) }) * 1000);
      for (const name of Object.keys(PEERS)) others[name].push(ofPeer(bin, name) * 1000);
    }
    return Object.entries(others).map(([name, times]) => ({
      what: `processor time of a run of ${THREE} tasks, to ${name} ${PEERS[name].version} with the same list, agent and gate`,
      value: least(ralph),
      baseline: least(times),
      unit: 'ms',
      atMost: PEERS[name].atMost,
      rounds: TURNS,
      least: true,
    }));
  },
};

export const costs = [
  programs,
  costAt(1000, 12),
  costAt(10_000, 10, Math.min(TASKS, 10)),
  growth,
  manyFiles,
  wallTime,
  sideBySide,
  peers,
];
