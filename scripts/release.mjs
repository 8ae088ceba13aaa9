// Makes the files of a release: `node scripts/release.mjs [FOLDER]` (default: release/): tarballs of ralph, tried with
// each Node, and of ralph-fleet; ralph's bill of materials (CycloneDX); checksums of all. It publishes nothing;
// .github/workflows/release.yml does that from a tag.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { billOf } from './bill-of-materials.mjs';

const ROOT = join(import.meta.dirname, '..');
const out = resolve(process.argv[2] ?? join(ROOT, 'release'));
const { name, version, ...about } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const run = (program, ...args) =>
  execFileSync(program, args, {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const fleet = JSON.parse(readFileSync(join(ROOT, 'packages', 'fleet', 'package.json'), 'utf8'));
const tag = process.env.GITHUB_REF_TYPE === 'tag' ? process.env.GITHUB_REF_NAME : `v${version}`;
if (tag !== `v${version}`) refuse(`The tag is ${tag}, and package.json has version ${version}.`);
if (fleet.version !== version) refuse(`${fleet.name} has version ${fleet.version}, and ralph ${version}.`);
const missing = ['repository', 'bugs', 'homepage'].filter((key) => about[key] === undefined);
if (missing.length > 0) refuse(`package.json has no ${missing.join(', no ')}: say where ralph is.`);
if (!readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').includes(`\n## [${version}]`))
  refuse(`CHANGELOG.md has no section [${version}]: rename [Unreleased] to it.`);
if (run('git', 'status', '--porcelain') !== '') refuse('There are changes that no commit has: commit them.');

mkdirSync(out, { recursive: true });
const pack = ['pack', '--pack-destination', out, '--silent'];
run('npm', ...pack);
run('npm', ...pack, '--workspace', fleet.name);
const [tarball, engine] = [name, fleet.name].map((one) => join(out, `${one}-${version}.tgz`));
process.stdout.write(run('node', 'scripts/try-package.mjs', tarball));

const bill = `${name}-${version}.cdx.json`;
const all = JSON.parse(run('npm', 'sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'));
const packed = JSON.parse(readFileSync(join(ROOT, 'dist', 'packages.json'), 'utf8'));
writeFileSync(join(out, bill), `${JSON.stringify(billOf(all, packed), null, 2)}\n`);

const sums = [tarball, engine, join(out, bill)].map((path) => {
  const sum = createHash('sha256').update(readFileSync(path)).digest('hex');
  return `${sum}  ${path.slice(out.length + 1)}\n`;
});
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
process.stdout.write(`Made in ${out}:\n${sums.join('')}`);

function refuse(why) {
  process.stderr.write(`No release: ${why}\n`);
  process.exit(1);
}
