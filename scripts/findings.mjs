// Runs findings/NAME.sh, or those that are named: they show known behaviour of other programs, and fail once it
// changes. node scripts/findings.mjs [NAME...]
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', 'findings');
const named = process.argv.slice(2);
const all = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.sh') ? [file.slice(0, -3)] : []));
const changed = [];
for (const name of named.length > 0 ? named : all) {
  process.stdout.write(`\n${name}\n`);
  const { status } = spawnSync('bash', [join(FOLDER, `${name}.sh`)], { stdio: 'inherit' });
  if (status !== 0) changed.push(name);
}
process.stdout.write(
  changed.length === 0
    ? '\nAll are as their texts say.\n'
    : `\nNot as the text says: ${changed.join(', ')}. Run one alone with: npm run findings -- ${changed[0]}\n`,
);
process.exitCode = changed.length === 0 ? 0 : 1;
