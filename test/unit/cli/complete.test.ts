import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { complete, valuesOf } from '../../../src/cli/completion/complete.ts';
import { buildProgram, EVERY } from '../../../src/cli/program.ts';

const program = await buildProgram(EVERY);
const at = (...words: string[]) => {
  const { words: found, ...rest } = complete(program, words);
  return { ...rest, words: found.map(({ value }) => value) };
};

describe('what could stand at the cursor', () => {
  it.each([
    [['queue', 'show', ''], { kind: 'task', files: false, words: [] }],
    [['queue', 'retry', ''], { kind: 'blocked' }],
    [['unblock', 'T-1', 'T'], { kind: 'blocked', typed: 'T' }],
    [['run', '--task', ''], { kind: 'task', prefix: '' }],
    [['run', '--task=T'], { kind: 'task', typed: 'T', prefix: '--task=' }],
    [['run', '--task', '=', 'T'], { kind: 'task', typed: 'T', prefix: '' }],
    [['run', '--task', 'T-1', '--agent', ''], { kind: 'agent' }],
    [['--cwd', ''], { files: true }],
    [['--cwd', 'elsewhere', 'diff', ''], { kind: 'task' }],
    [['--format', ''], { words: ['text', 'json'] }],
    [['verify', '--format', 'x'], { words: ['text', 'json', 'markdown', 'sarif'] }],
    [['approvals', 'show', ''], { kind: 'approval', words: [] }],
    [['approvals', ''], { kind: null, words: ['list', 'show', 'decide', 'verify', 'report'] }],
    [['checkpoints', 'diff', 'T-3', ''], { kind: 'checkpoint' }],
    [['report', ''], { kind: 'run', files: false }],
    [['report', '--html', ''], { kind: null, files: true }],
    [['demo', '--keep', ''], { files: true }],
    [['completion', ''], { words: ['bash', 'zsh', 'fish'] }],
    [['watch', 'one', ''], { files: true }],
    [['queue', 'show', 'T-1', ''], { kind: null, files: false, words: [] }],
    [['feedback', 'add', '--', '-'], { kind: null, words: [] }],
    [['unheard', '--of', ''], { kind: null, words: [] }],
    [['run', '--unheard=x'], { kind: null, words: [] }],
  ] as const)('%j', (words, expected) => {
    expect(at(...words)).toMatchObject(expected);
  });

  it('names each command and option that the help names', () => {
    expect(at('').words).toEqual(expect.arrayContaining(['run', 'report', 'completion', 'help']));
    expect(at('').words).not.toContain('complete');
    expect(at('tasks', '').words).toEqual(expect.arrayContaining(['list', 'add', 'accept']));
    expect(at('run', '-').words).toEqual(expect.arrayContaining(['--task', '--workers', '--json', '--cwd']));
    expect(at('run', '--until', '07:00', '-').words).toContain('--task');
  });
});

/** What you write yourself: texts, numbers, times, and names of what isn't there yet. */
const FREE = new Set(
  [
    '--acceptance --arms --cheats --filter --gate --guidance --iteration --jobs --last --limit --max-asks --max-attempts --max-iterations',
    '--max-time --mode --model --option --priority --reacts --reason --seeds --serve --severity --since --timeout --timeout-multiplier --title',
    '--type --until --workers --action command option text title words',
    'do --check,do --max-cost',
    'verify range,verify --branch,verify --pr,verify --text,take --attempt',
    'whitelist what,review hook agent,hook run agent',
    'fleet run --labels,fleet run --lease,fleet worker --name,fleet worker --labels,fleet worker --lease,fleet enrol key,fleet enrol --name,fleet board --port,page --port,page --listen,page --origin',
  ].flatMap((line) => (line.includes(',') ? line.split(',') : line.split(' '))),
);

it('says of each argument and each value of an option what it is, or that it is yours to write', () => {
  const unknown: string[] = [];
  const used = new Set<string>();
  const visit = (command: Command, path: string) => {
    const named = [
      ...command.registeredArguments.map((one) => ({ name: one.name(), choices: one.argChoices })),
      ...command.options
        .filter(({ required, optional }) => required || optional)
        .map((one) => ({
          name: one.long ?? '',
          choices: one.long === '--format' ? ['text'] : one.argChoices,
        })),
    ];
    for (const { name, choices } of named) {
      const free = [name, `${path} ${name}`].find((one) => FREE.has(one));
      if (free !== undefined) used.add(free);
      const isKnown = choices !== undefined || valuesOf(command, name) !== null;
      if (isKnown === (free !== undefined)) unknown.push(`${path} ${name}`);
    }
    for (const below of command.commands) visit(below, `${path} ${below.name()}`.trim());
  };
  visit(program, '');
  expect(unknown).toEqual([]);
  expect([...FREE].filter((one) => !used.has(one))).toEqual([]);
});
