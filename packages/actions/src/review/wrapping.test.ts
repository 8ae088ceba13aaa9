import fc from 'fast-check';
import { describeAction, reviewAction } from 'ralph-actions/review';
import { isReadKind } from 'ralph-kit/actions/action';
import { shellQuote, singleQuoted } from 'ralph-kit/shell-quote';
import { describe, expect, it } from 'vitest';
import { action, commandRuling, PLACE } from '../../../../test/helpers/review-place.ts';

/** Denied wherever they stand: without a folder of their own, and without white space that quoting could lose. */
const DENIED = [
  'rm -rf /etc',
  "rm -rf '../a b'",
  'rm -rf "$X"',
  'cd /var && rm -rf log',
  'find / -name x -delete',
  'git -C /srv/x clean -fd',
  'echo x > .ralph/PRD.md',
  'cp a .claude/settings.json',
  `python3 -c 'import os; os.remove("/etc/x")'`,
  'for f in a /etc/b; do rm "$f"; done',
  'echo /etc/x | xargs rm',
  'D=/etc; rm -rf "$D"',
];
const HARMLESS = [
  'npm test',
  "rm -rf 'dist'",
  'git commit -m "rm -rf /"',
  'ls -la > out.txt',
  'find . -name x -delete',
];

const WRAPPERS: readonly ((command: string) => string)[] = [
  (command) => `bash -c ${singleQuoted(command)}`,
  (command) => `env A=b sh -c ${singleQuoted(command)}`,
  (command) => `timeout 5 bash -lc ${singleQuoted(command)}`,
  (command) => `sudo nice -n 5 bash -c ${singleQuoted(command)}`,
  (command) => `( ${command}\n)`,
  (command) => `{ ${command}\n}`,
  (command) => `true && { ${command}\n}`,
  (command) => `if true; then ${command}\nfi`,
  (command) => `while true; do ${command}\ndone`,
  (command) => `echo start; ${command}`,
  (command) => `echo "$( ${command}\n)"`,
  (command) => `eval ${singleQuoted(command)}`,
  (command) => `f() { ${command}\n}; f`,
  (command) => `echo ${singleQuoted(command)} | sh`,
  (command) => `sh <<'END${command.length}'\n${command}\nEND${command.length}`,
  (command) => `echo ${Buffer.from(command).toString('base64')} | base64 -d | bash`,
  (command) => `C=${singleQuoted(command)}; bash -c "$C"`,
  (command) => `trap ${singleQuoted(command)} EXIT`,
];
const wrapping = fc.array(fc.constantFrom(...WRAPPERS), { minLength: 1, maxLength: 2 });
const wrap = (command: string, by: readonly ((command: string) => string)[]) =>
  by.reduce((text, wrapper) => wrapper(text), command);

describe('wrapped commands', () => {
  it('stay denied', () => {
    fc.assert(
      fc.property(fc.constantFrom(...DENIED), wrapping, (command, by) => {
        expect(commandRuling(wrap(command, by))).not.toBe('allow');
      }),
      { numRuns: 300 },
    );
  });

  it('stay allowed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...HARMLESS), wrapping, (command, by) => {
        expect(commandRuling(wrap(command, by))).toBe('allow');
      }),
      { numRuns: 200 },
    );
  });

  it('are the same however a word is quoted', () => {
    const spell = fc.constantFrom<(letter: string) => string>(
      (letter) => letter,
      (letter) => `\\${letter}`,
      (letter) => `'${letter}'`,
      (letter) => `"${letter}"`,
      (letter) => `$'\\x${letter.charCodeAt(0).toString(16)}'`,
      (letter) => `''${letter}`,
    );
    fc.assert(
      fc.property(fc.array(spell, { minLength: 6, maxLength: 6 }), (spellings) => {
        const spelled = [...'rm/etc'].map((letter, index) => (spellings[index] ?? String)(letter));
        const command = `${spelled.slice(0, 2).join('')} -rf ${spelled.slice(2).join('')}`;
        expect(commandRuling(command)).toBe('deletion_outside');
      }),
      { numRuns: 200 },
    );
  });

  it('deletes any literal path below the repository, and none outside', () => {
    const name = fc
      .string({ minLength: 1, maxLength: 8 })
      .filter((text) => !/[/\0\uE000\uE001]|^\.|^-/.test(text));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), (parts) => {
        expect(commandRuling(`rm -rf -- ${shellQuote(parts.join('/'))}`)).toBe('allow');
        expect(commandRuling(`rm -rf -- ${shellQuote(`../${parts.join('/')}x`)}`)).toBe('deletion_outside');
      }),
      { numRuns: 200 },
    );
  });
});

describe('any input', () => {
  const shellish = fc
    .array(
      fc.constantFrom(
        ...'rm find -rf / .. $( ) ` " \' { } | ; & > < << EOF \\ \n $X ${ ~ * [ ] for in do done if then fi case esac sh -c eval xargs =('.split(
          ' ',
        ),
      ),
    )
    .map((words) => words.join(' '));

  it('gets an answer: the review never throws', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), shellish);
    const tool = fc.constantFrom('Bash', 'apply_patch', 'Write', 'write_stdin', 'mcp__x__delete', 'Read', '');
    const input = fc.oneof(
      fc.dictionary(
        fc.constantFrom('command', 'cmd', 'path', 'code', 'input', 'changes', 'workdir'),
        fc.oneof(text, fc.jsonValue()),
      ),
      text.map((command) => ({ command })),
    );
    fc.assert(
      fc.property(tool, input, fc.boolean(), (name, given, unseenInput) => {
        const act = action(name, given as Record<string, unknown>);
        expect(['allow', 'warn', 'modify', 'deny']).toContain(
          reviewAction(act, { ...PLACE, unseenInput }).decision,
        );
        expect([...describeAction(act)].length).toBeLessThanOrEqual(200);
        expect(typeof isReadKind(act)).toBe('boolean');
      }),
      { numRuns: 1000, examples: [['Bash', { command: [{ toString: null }] }, false]] },
    );
  });

  it.each([
    ['deep substitutions', `${'echo $('.repeat(2000)}rm -rf /${')'.repeat(2000)}`],
    ['deep groups', `${'( '.repeat(3000)}rm -rf /${' )'.repeat(3000)}`],
    ['nested loops', `${'for i in a b; do '.repeat(30)}rm -rf /; ${'done; '.repeat(30)}`],
    ['functions that call themselves', ':() { :|:& }; :; rm -rf /'],
    ['many braces', `rm -rf ${'{a,b}'.repeat(30)} /`],
    ['many values', `${'for x in a b; do D=$D$x; done; '.repeat(20)} rm -rf "$D"`],
    ['texts that double', `D=ab; ${'D=$D$D; E=$(echo "$D" "$D"); D=$E; '.repeat(60)} rm -rf "$D"`],
    ['arguments that double', `set -- a; ${'set -- "$@" "$@"; '.repeat(60)} rm -rf "$@" /`],
    ['wide braces', `rm -rf ${`{${'a,'.repeat(400)}b}`.repeat(8)} /`],
    [
      'shells in shells',
      Array.from({ length: 12 })
        .reduce<string>((text) => `bash -c ${JSON.stringify(text)}`, 'rm -rf /')
        .slice(0, 16_000),
    ],
  ])('%s end in a denial', (_name, command) => expect(commandRuling(command)).not.toBe('allow'));
});
