import { expect, it } from 'vitest';
import { allExamples } from '../../../src/cli/program.ts';
import {
  commandNames,
  commandsIn,
  optionsOf,
  refusalOf,
  textsOf,
} from '../../helpers/docs/printed-commands.ts';
import { SOURCES } from '../../helpers/source-files.ts';

const EXAMPLES = await allExamples();

/** Without the generated docs/CLI.md, which is the commands' own help. */
const DOCS = textsOf(
  ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'GLOSSARY.md', 'docs', 'templates'],
  /(?<!CLI)\.(?:md|html)$/,
);
const SOURCE = textsOf(SOURCES, /(?<!\.test)\.ts$/);

/** Name of the command that docs/EXTENDING.md adds as an example. */
const ADDED = 'where';

it.each([
  ['docs', DOCS],
  ['messages and comments', SOURCE],
])('every command that %s name is understood', async (_what, texts) => {
  const commands = texts.flatMap(([path, text]) => commandsIn(text, path.endsWith('.ts')));
  expect(commands.length).toBeGreaterThan(100);
  const refused: string[] = [];
  for (const command of new Set(commands)) {
    const why = command === ADDED ? null : await refusalOf(command);
    // A text may name a command without its argument, as in "with `ralph tasks add`".
    if (why !== null && !/ is missing\.$| needs a value: /.test(why))
      refused.push(`ralph ${command}: ${why}`);
  }
  expect(refused).toEqual([]);
});

it('finds commands where they stand', () => {
  expect(
    commandsIn('say `ralph nosuch --x` or run: ralph logs 4. Then ralph waits; ralph stop --now, too'),
  ).toEqual(['nosuch --x', 'logs 4', 'stop --now']);
});

it("refuses what isn't one", async () => {
  expect(await refusalOf('nosuch')).toContain('Unknown command');
  expect(await refusalOf('logs --nosuch')).toContain("nknown option '--nosuch'");
  expect(await refusalOf('tasks add')).toContain('<title> is missing.');
});

it('gives every command that takes something an example', () => {
  const names = commandNames();
  expect(Object.keys(EXAMPLES).filter((name) => !names.includes(name))).toEqual([]);
  const without = names.filter(
    (name) => EXAMPLES[name] === undefined && EXAMPLES[name.split(' ')[0] ?? ''] === undefined,
  );
  expect(without).toEqual([
    'pause',
    'continue',
    'tasks',
    'tasks list',
    'feedback',
    'feedback list',
    'feedback clear',
    'status',
    'info',
    'review',
    'notify',
    'help',
    'complete',
  ]);
});

it.each(Object.values(EXAMPLES).flat())('example: ralph %s', async (line) => {
  expect(await refusalOf(line)).toBeNull();
});

it.each(['--json', '--format json', '--quiet', '--no-color', '--cwd .'])(
  '%s counts before and after every command',
  async (option) => {
    const lines = Object.values(EXAMPLES).flat();
    for (const line of lines.filter((one) => !one.includes('--format'))) {
      expect(await refusalOf(`${option} ${line}`), line).toBeNull();
      expect(await refusalOf(`${line} ${option}`), line).toBeNull();
      expect(await optionsOf(`${option} ${line}`), line).toEqual(await optionsOf(`${line} ${option}`));
    }
  },
);
