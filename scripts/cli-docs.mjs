// Writes docs/CLI.md from the commands: node scripts/cli-docs.mjs [FILE]
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSource } from './import-source.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = process.argv[2] === undefined ? join(root, 'docs', 'CLI.md') : resolve(process.argv[2]);

const SOURCE = `
export { buildProgram } from './cli/program.ts';
export { EXAMPLES } from './cli/define/examples.ts';
`;
// What the commands do isn't called.
const { buildProgram, EXAMPLES } = await importSource(SOURCE, [
  '../commands/*',
  '../screen/watch.ts',
  '../app/setup/*',
]);

const program = buildProgram();

const HEAD = `# Commands

Made from the commands themselves by \`npm run cli-docs\`; \`ralph COMMAND --help\` says the same.

- Every command takes the options of \`ralph\` itself, before or after its name.
- \`--json\` prints one document: \`schema_version\`, \`cmd\`, \`exit_code\` and \`timestamp\`, the data beside them; for an
  error \`error.message\` and \`error.next\`.
- What \`run\` and \`step\` end with: [Exit codes](USING.md#exit-codes-of-run-and-step).
- What is piped is never cut, and has no colours; \`NO_COLOR\` and \`FORCE_COLOR\` are respected.
`;

const groups = [...new Set(visible(program).map((command) => command.helpGroup()))];
const sections = [HEAD, '## Options of every command\n', optionTable(program)];
for (const group of groups) {
  sections.push(`## ${group.replace(/:$/, '')}\n`);
  for (const command of visible(program)) {
    if (command.helpGroup() === group) sections.push(...sectionsOf(command, 3));
  }
}
writeFileSync(file, `${sections.join('\n').trimEnd()}\n`);

/** A command, then those below it. */
function sectionsOf(command, depth) {
  const name = nameOf(command);
  const below = visible(command);
  const parts = [`${'#'.repeat(depth)} \`ralph ${name}\`\n`, `${sentence(command.description())}\n`];
  const first = below.find((one) => one.name() === 'list');
  if (first !== undefined) parts.push(`Alone it is \`ralph ${nameOf(first)}\`.\n`);
  if (below.length === 0) parts.push('```text', `ralph ${name} ${command.usage()}`.trimEnd(), '```\n');
  const described = command.registeredArguments.filter(({ description }) => description !== '');
  if (described.length > 0) {
    parts.push(
      table(
        'argument',
        described.map((argument) => [argument.name(), meaning(argument)]),
      ),
    );
  }
  if (command.options.length > 0) parts.push(optionTable(command));
  const examples = EXAMPLES[name] ?? [];
  if (examples.length > 0) parts.push('```sh', ...examples.map((line) => `ralph ${line}`), '```\n');
  return [...parts, ...below.flatMap((one) => sectionsOf(one, depth + 1))];
}

function optionTable(command) {
  return table(
    'option',
    command.options.map((option) => [option.flags, meaning(option)]),
  );
}

/** What it means, its choices, and where else its value comes from. */
function meaning({ description, argChoices, envVar, defaultValue }) {
  const parts = [
    description,
    argChoices ? `one of ${argChoices.map((choice) => `\`${choice}\``).join(', ')}` : '',
    envVar ? `or the variable \`${envVar}\`` : '',
    ['string', 'number'].includes(typeof defaultValue) ? `\`${defaultValue}\` by default` : '',
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function table(head, rows) {
  const lines = rows.map(([name, text]) => `| \`${name}\` | ${text.replaceAll('|', '\\|')} |`);
  return [`| ${head} | |`, '|---|---|', ...lines, ''].join('\n');
}

function visible(command) {
  return command.commands.filter((one) => one.name() !== 'help' && one._hidden !== true);
}

function nameOf(command) {
  return command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
}

function sentence(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
