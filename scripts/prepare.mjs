// Builds ralph where npm installs it from its sources: from a git address, or with `npm ci` in a clone.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isBuilt } from './built.mjs';

const ROOT = join(import.meta.dirname, '..');
const hasEsbuild = () =>
  import('esbuild').then(
    () => true,
    () => false,
  );

if (!isBuilt()) {
  // `npm install --global git+ADDRESS` has npm install the build's packages into the global folder, where the build
  // doesn't find them.
  if (process.env.npm_config_global === 'true' && !(await hasEsbuild())) install();
  if (await hasEsbuild()) await import('./build.mjs');
  else process.stderr.write('dist/ is not built: esbuild is missing, as with --omit=dev.\n');
}

function install() {
  const args = ['ci', '--global=false', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  const [program, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
  // A setting that npm accepts only for a global install would be an error in this one.
  const { npm_config_allow_scripts: _, ...env } = process.env;
  const { status } = spawnSync(program, [...first, ...args], { cwd: ROOT, env, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
