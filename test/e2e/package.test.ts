import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { billOf } from '../../scripts/bill-of-materials.mjs';
import { packageTop } from '../../src/io/package-top.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** The most packages whose code may be in the build. */
const PACKED_MOST = 111;

function outputOf(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return stdout;
}

it('takes at most 2.5 MB to download, and holds each program', () => {
  const packed = outputOf('npm', 'pack', '--dry-run', '--json', '--offline', '--ignore-scripts', '--silent');
  const [{ size, files }] = JSON.parse(packed);
  expect(size).toBeLessThanOrEqual(2_500_000);
  expect(files.map(({ path }: { path: string }) => path)).toEqual(
    expect.arrayContaining([
      'bin/ralph.js',
      'dist/cli/main.js',
      'dist/cli/start.js',
      'dist/cli/look.cjs',
      'dist/app/demo/main.js',
      'dist/decide/human-gates.js',
      'dist/THIRD_PARTY_LICENSES.txt',
      'docs/ralph.1',
    ]),
  );
});

const readJson = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

it('brings no other package with it: what it runs of others is in the build, with its licence', () => {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = readJson('package.json');
  expect({ ...dependencies, ...optionalDependencies, ...peerDependencies }).toEqual({});
  const licences = readFileSync(join(ROOT, 'dist/THIRD_PARTY_LICENSES.txt'), 'utf8');
  const packed: { name: string; version: string }[] = readJson('dist/packages.json');
  expect(packed.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['commander', 'ink', 'react', 'zod']),
  );
  expect(packed.filter(({ name, version }) => !licences.includes(`\n${name} ${version} (`))).toEqual([]);
  // One more package is a decision: what it does, who keeps it, and what it brings along.
  expect(new Set(packed.map(({ name }) => name)).size).toBeLessThanOrEqual(PACKED_MOST);
});

it('its bill of materials has what is in the build, and no tool of the development', () => {
  const all = JSON.parse(outputOf('npm', 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'));
  const packed: { name: string; version: string }[] = readJson('dist/packages.json');
  const { components, dependencies, metadata } = billOf(all, packed);
  const named = (component: { name: string; version: string }) => `${component.name}@${component.version}`;
  expect(components.map(named)).toEqual(packed.map(named));
  expect(JSON.stringify(components)).not.toContain('cdx:npm:package:development');
  expect(metadata.component.name).toBe('ralph-gold');
  const known = new Set([metadata.component, ...components].map((component) => component['bom-ref']));
  for (const { ref, dependsOn } of dependencies)
    expect([ref, ...dependsOn].filter((one) => !known.has(one))).toEqual([]);
  expect(() => billOf(all, [...packed, { name: 'elsewhere', version: '1.0.0' }])).toThrow('elsewhere 1.0.0');
});

it.each([
  ['import', "import { GATES } from 'ralph-gold/human-gates';", 'module'],
  ['require', "const { GATES } = require('ralph-gold/human-gates');", 'commonjs'],
])('the gates can be had by %s', (_, line, type) => {
  const script = `${line} console.log(GATES.FALSE_POSITIVE.id);`;
  expect(outputOf(process.execPath, '--no-warnings', `--input-type=${type}`, '-e', script)).toBe(
    'GATE-AP-FALSE-POSITIVE\n',
  );
});

it('its top is found from any of its files', () => {
  expect(packageTop()).toBe(ROOT);
});

it('each step of the release runs a program that is there', () => {
  const { jobs } = parse(readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8'));
  const lines: string[] = jobs.release.steps.flatMap(({ run }: { run?: string }) =>
    run === undefined ? [] : [run],
  );
  const own = lines
    .flatMap((line) => line.match(/(?:^|\s)(?:scripts\/\S+|\.ci\/run)/g) ?? [])
    .map((path) => path.trim());
  expect(own).toEqual(['.ci/run', 'scripts/release.mjs']);
  expect(own.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect(lines.at(-2)).toMatch(/^npm publish .*--provenance/);
});
