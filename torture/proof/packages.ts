import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { must } from './command.ts';

const made = new Map<string, Promise<string>>();

/** Returns a `node_modules` with these packages from npm, installed once for all cases of this program. */
export function installed(packages: readonly string[]): Promise<string> {
  const name = createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 16);
  const folder = made.get(name) ?? install(packages, name);
  made.set(name, folder);
  return folder;
}

async function install(packages: readonly string[], name: string): Promise<string> {
  const folder = join(process.env.PROOF_CACHE ?? '', name);
  const modules = join(folder, 'node_modules');
  if (existsSync(modules)) return modules;
  const fresh = `${folder}-${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--prefix', fresh];
  await must('npm', ['install', ...quiet, ...packages], fresh);
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return modules;
}
