// `npm run check:fast`: runs the checks that a change is likely to break, in less than a minute. The change is what
// main doesn't have, committed or not.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nearestTests } from './nearest-tests.mjs';

const ROOT = resolve(import.meta.dirname, '..');
/** Seconds of tests, so that everything takes less than a minute on two processors. */
const TEST_SECONDS = 45;
/** `npm run layers` is the faster half of this test, and runs anyway. */
const LAYERS = 'test/architecture/layers.test.ts';

process.chdir(ROOT);
const changed = changedFiles();
const { run, left } = nearestTests(new Set(changed), modules(), TEST_SECONDS);
const architecture = readdirSync('test/architecture').map((name) => `test/architecture/${name}`);
const tests = [...new Set([...run, ...architecture.filter((path) => path !== LAYERS)])];
const projects = ['unit', 'architecture', 'integration', 'e2e'].flatMap((name) => ['--project', name]);

const codes = await Promise.all([
  started('lint', 'node_modules/.bin/biome', 'check', '--no-errors-on-unmatched', ...changed),
  started('types', 'npm', 'run', '--silent', 'types'),
  started('layers', 'npm', 'run', '--silent', 'layers'),
  started('tests', 'node_modules/.bin/vitest', 'run', '--reporter=dot', ...projects, ...tests),
]);
if (left.length > 0)
  process.stdout.write(
    `Not run, as they take longer: ${left.length} test files that load what changed.\n  ${left.join('\n  ')}\n`,
  );
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

/** Returns paths, from the top, of existing files that differ from the last commit that main has, too. */
function changedFiles() {
  const base =
    ['main', 'origin/main'].map((name) => git('merge-base', name, 'HEAD')[0]).find(Boolean) ?? 'HEAD';
  const names = [
    ...git('diff', '--name-only', '-z', base),
    ...git('ls-files', '-z', '--others', '--exclude-standard'),
  ];
  return names.filter((name) => existsSync(name));
}

/** Returns what git prints, split at NUL bytes or line ends; an empty list if git fails. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  return status === 0 ? stdout.split(/\0|\n$/).filter((part) => part !== '') : [];
}

/** Returns the text of each module and test file, by its path from the top. */
function modules() {
  const paths = ['src', 'test', 'packages'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  const sources = paths.filter(
    (path) => /\.[mc]?[jt]s$|^packages\/[^/]+\/package\.json$/.test(path) && !path.includes('node_modules'),
  );
  return new Map(sources.map((path) => [path, readFileSync(path, 'utf8')]));
}

/** Runs a check, prints its output once it has ended, and returns its exit code. */
function started(name, program, ...args) {
  const began = performance.now();
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => {
      const seconds = ((performance.now() - began) / 1000).toFixed(0);
      process.stdout.write(`${code === 0 ? '✔' : '✖'} ${name} (${seconds} s)\n${code === 0 ? '' : output}`);
      done(code);
    });
  });
}
