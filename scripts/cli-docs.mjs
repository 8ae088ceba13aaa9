// Writes docs/CLI.md and docs/ralph.1 from the commands: node scripts/cli-docs.mjs [FOLDER]
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importSource } from './import-source.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2] === undefined ? join(root, 'docs') : resolve(process.argv[2]);

const SOURCE = `
export { allExamples, buildProgram, EVERY } from './cli/program.ts';
`;
// Functions that carry out commands are left out of the bundle, because they aren't called.
const { allExamples, buildProgram, EVERY } = await importSource(SOURCE, [
  './open-screen.ts',
  './completion/reply.ts',
  '../app/setup/refuse-inside.ts',
  '../../app/commands/*',
  '../../app/setup/verify/*',
  '../../app/setup/refuse-inside.ts',
  '../../app/records/*',
  '../../../app/commands/*',
  '../../../evaluate/*',
  '../render/page/*',
  '../../render/page/*',
  '@modelcontextprotocol/*',
  './serve.ts',
]);

const program = await buildProgram(EVERY);
const EXAMPLES = await allExamples();

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
writeFileSync(join(folder, 'CLI.md'), `${sections.join('\n').trimEnd()}\n`);
writeFileSync(join(folder, 'ralph.1'), `${manPage().join('\n')}\n`);

/** Returns the section of a command, then those of its subcommands. */
function sectionsOf(command, depth) {
  const name = nameOf(command);
  const below = visible(command);
  const parts = [`${'#'.repeat(depth)} \`ralph ${name}\`\n`, `${sentence(command.description())}\n`];
  const first = below.find((one) => one.name() === 'list');
  const isCommand = below.length === 0 || command.registeredArguments.length > 0;
  if (first !== undefined && !isCommand) parts.push(`Alone it is \`ralph ${nameOf(first)}\`.\n`);
  if (isCommand) parts.push('```text', `ralph ${name} ${command.usage()}`.trimEnd(), '```\n');
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

/** Returns an option's meaning, its choices, and its other sources. */
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

/** Returns the lines of the manual page ralph(1), in the macros of man(7). */
function manPage() {
  return [
    '.TH RALPH 1',
    '.SH NAME',
    `ralph \\- ${roff(program.description().replace(/\.$/, '')).replace(/^W/, 'w')}`,
    '.SH SYNOPSIS',
    '.B ralph',
    '.RI [ options ] " command " [ arguments ]',
    '.br',
    '.B ralph',
    '.SH DESCRIPTION',
    'Alone on a terminal it opens the full screen, as',
    '.B ralph watch',
    'does. Set up a repository with',
    '.BR "ralph init" ;',
    'work through its tasks with',
    '.BR "ralph run" ;',
    'read what came of it with',
    '.BR "ralph report" .',
    '.SH OPTIONS',
    'Every command takes these, before or after its name.',
    ...manOptions(program),
    ...groups.flatMap((group) => [
      `.SH "${roff(group.replace(/:$/, '')).toUpperCase()}"`,
      ...visible(program)
        .filter((command) => command.helpGroup() === group)
        .flatMap(manCommand),
    ]),
    '.SH EXIT STATUS',
    'Of',
    '.BR run " and " step :',
    ...exitCodes().flatMap(([code, text]) => ['.TP', `.B ${roff(code)}`, roffLine(text)]),
    '.SH FILES',
    '.TP',
    '.I .ralph/ralph.toml',
    'Settings of the repository.',
    '.TP',
    '.I .ralph/PRD.md',
    'Tasks, where no other list is named.',
    '.TP',
    '.I .ralph/journal.jsonl',
    'All that happened, one record a line.',
  ];
}

function manCommand(command) {
  const below = visible(command);
  const name = nameOf(command);
  const usage = below.length === 0 ? ` ${command.usage()}` : '';
  const described = command.registeredArguments.filter(({ description }) => description !== '');
  return [
    `.SS "ralph ${roff(`${name}${usage}`.trimEnd())}"`,
    roffLine(sentence(command.description())),
    ...described.flatMap((argument) => ['.TP', `.I ${roff(argument.name())}`, roffLine(meaning(argument))]),
    ...manOptions(command),
    ...below.flatMap(manCommand),
  ];
}

function manOptions(command) {
  return command.options.flatMap((option) => [
    '.TP',
    `.B ${roff(option.flags)}`,
    roffLine(meaning(option).replaceAll('`', '')),
  ]);
}

/** Returns the exit codes as docs/USING.md lists them. */
function exitCodes() {
  const [, section = ''] = readFileSync(join(root, 'docs', 'USING.md'), 'utf8').split('## Exit codes of');
  return [...section.split('\n## ')[0].matchAll(/^\| (\d.*?) \| (.*) \|$/gm)].map(([, code, text]) => [
    code,
    text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', ''),
  ]);
}

function roff(text) {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq');
  return escaped.replace(
    /[^\0-\x7f]/gu,
    (sign) => `\\[u${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}

/** Returns a line of text in which no character begins a request of roff. */
function roffLine(text) {
  return roff(text).replace(/^[.']/, '\\&$&');
}
