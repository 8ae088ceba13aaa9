// Tries a tarball of the package as its users install it, with each supported Node: `node scripts/try-package.mjs
// FILE.tgz [VERSION ...]`. For each version it is installed into an empty folder; then the program, its modules and
// `npx` have to work there.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

const [file, ...wanted] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('Which tarball? node scripts/try-package.mjs FILE.tgz [VERSION ...]\n');
  process.exit(2);
}
const tarball = resolve(file);
/** Major versions of Node: the lowest one that the package names, and the long-term ones above it. */
const VERSIONS = wanted.length > 0 ? wanted : ['20', '22', '24'];
/** Number of packages that an installation may contain: ralph alone, because its build has all of its code. */
const PACKAGES = 1;

const QUIET = ['install', '--no-audit', '--no-fund', '--no-save', '--loglevel=error', '--ignore-scripts'];
const LOUD = { stdio: ['ignore', 'ignore', 'inherit'] };

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'ralph-package-')));
try {
  for (const version of VERSIONS) tryWith(version, join(scratch, version));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function tryWith(version, folder) {
  const own = join(folder, 'node');
  execFileSync(
    'npm',
    [...QUIET, '--prefix', own, `node-${process.platform}-${process.arch}@${version}`],
    LOUD,
  );
  const [bin] = readdirSync(join(own, 'node_modules'))
    .map((name) => join(own, 'node_modules', name, 'bin'))
    .filter(existsSync);
  const project = join(folder, 'project');
  const env = {
    ...process.env,
    PATH: `${bin}${delimiter}${process.env.PATH}`,
    XDG_STATE_HOME: join(folder, 'state'),
    npm_config_cache: join(folder, 'cache'),
  };
  const run = (program, ...args) =>
    execFileSync(program, args, {
      cwd: project,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  execFileSync('npm', [...QUIET, '--prefix', project, tarball], LOUD);
  const ralph = join(project, 'node_modules', '.bin', 'ralph');

  const node = run('node', '--version').trim();
  must(node.startsWith(`v${version}.`), `the node of this trial is ${node}`);
  const there = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
  must(there.length === PACKAGES, `the installation has ${there.length} packages: ${there.join(', ')}`);
  must(/^\d+\.\d+\.\d+/.test(run(ralph, '--version')), 'it prints its version');
  must(run(ralph, 'demo').includes('ralph init'), 'the demo ends with the next step');
  must(run(ralph, 'completion', 'bash').includes('complete -F'), 'it prints the completion of bash');
  writeFileSync(
    join(project, 'try.mjs'),
    "import { GATES } from 'ralph-gold/human-gates';\nif (!GATES.FALSE_POSITIVE) process.exit(1);\n",
  );
  run('node', 'try.mjs');
  const printed = run('npx', '--yes', '--package', tarball, 'ralph', 'demo');
  must(printed.includes('ralph init'), 'npx of the tarball runs the demo');
  process.stdout.write(`Node ${node}: installed, demo, modules and npx work.\n`);
}

function must(holds, what) {
  if (!holds) throw new Error(`This doesn't hold: ${what}.`);
}
