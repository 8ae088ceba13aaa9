// Writes the list of built-in rules into docs/REVIEW_RULES.md from the rules' own texts; --check: only says whether it fits.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importSource } from './import-source.mjs';

const FILE = join(import.meta.dirname, '..', 'docs', 'REVIEW_RULES.md');
const [BEGIN, END] = ['<!-- rules: npm run review-rules -->', '<!-- /rules -->'];

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const { RULES } = await importSource(`export { RULES } from './review/index.ts';`);
const text = readFileSync(FILE, 'utf8');
const [before, rest] = text.split(BEGIN);
const after = rest.slice(rest.indexOf(END));
const pages = RULES.map(
  ({ name, ruling, essential, fixed, finds, instead }) =>
    `### \`${name}\`\n\n${finds}\n\n- Ruling: ${ruling}${essential ? ', essential' : ''}${fixed ? ', always on' : ''}\n- Instead: ${instead}\n`,
);
const written = `${before}${BEGIN}\n\n${pages.join('\n')}\n${after}`;
if (values.check) process.exitCode = written === text ? 0 : 1;
else writeFileSync(FILE, written);
