import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NEWER_NODE, PROGRAMS, type Program } from './programs.ts';

export type Installed = {
  readonly name: string;
  /** What the program itself says. */
  readonly version: string;
  /** Folders that its programs are found in. */
  readonly path: readonly string[];
};

export type Installation =
  | { readonly ok: true; readonly installed: Installed }
  | { readonly ok: false; readonly name: string; readonly reason: string };

const INSTALL_LIMIT_MS = 10 * 60_000;
const VERSION_LIMIT_MS = 60_000;
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;

/** Installs the programs into `cache`, one folder for each; what lies there in the right version is left alone. */
export function installAll(cache: string, names: readonly string[]): readonly Installation[] {
  const known = PROGRAMS.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  const wanted = PROGRAMS.filter(({ name }) => names.length === 0 || names.includes(name));
  return [
    ...wanted.map((program) => install(program, cache)),
    ...unknown.map((name) => ({ ok: false as const, name, reason: `known are ${known.join(', ')}` })),
  ];
}

function install(program: Program, cache: string): Installation {
  const { name, package: packageName, version, postinstall } = program;
  const refused = (reason: string): Installation => ({ ok: false, name, reason });
  const folder = join(cache, name);
  const inside = join(folder, 'node_modules', packageName);
  const path = [
    program.programIn === undefined ? join(folder, 'node_modules', '.bin') : join(inside, program.programIn),
  ];
  if (program.node !== null && program.node > Number(process.versions.node.split('.')[0])) {
    const node = join(cache, NEWER_NODE.folder);
    const failed = npmInstall(node, NODE_PACKAGE, NEWER_NODE.version);
    if (failed !== null) return refused(`it needs Node ${program.node}: ${failed}`);
    path.push(join(node, 'node_modules', NODE_PACKAGE, 'bin'));
  }
  const there = versionInside(inside) === version;
  const failed = npmInstall(folder, packageName, version);
  if (failed !== null) return refused(failed);
  if (postinstall !== null && !there) {
    // With nothing of this process's environment, and of all the installed scripts this one alone.
    const env = { PATH: '/usr/bin:/bin', HOME: folder };
    const run = spawnSync(process.execPath, [postinstall], { cwd: inside, env, encoding: 'utf8' });
    if (run.status !== 0) return refused(`${postinstall} failed: ${lastLine(run.stderr)}`);
  }
  const env = { PATH: [...path, dirname(process.execPath), '/usr/bin', '/bin'].join(':'), HOME: folder };
  const asked = spawnSync(name, ['--version'], { env, encoding: 'utf8', timeout: VERSION_LIMIT_MS });
  if (asked.status !== 0) return refused(`${name} --version failed: ${lastLine(asked.stderr ?? '')}`);
  return { ok: true, installed: { name, version: firstLine(asked.stdout), path } };
}

/** Why it could not be installed; `null` when it is. No script of a package runs. */
function npmInstall(folder: string, packageName: string, version: string): string | null {
  if (versionInside(join(folder, 'node_modules', packageName)) === version) return null;
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'package.json'))) {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  }
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--save-exact'];
  const run = spawnSync('npm', ['install', ...options, `${packageName}@${version}`], {
    cwd: folder,
    encoding: 'utf8',
    timeout: INSTALL_LIMIT_MS,
  });
  if (run.status === 0) return null;
  return `npm could not install ${packageName}@${version}: ${run.error?.message ?? firstLine(run.stderr)}`;
}

function versionInside(folder: string): string | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  } catch {
    return null;
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
