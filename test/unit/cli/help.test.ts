import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { CORE } from '../../../src/cli/listed.ts';
import { buildProgram, EVERY } from '../../../src/cli/program.ts';

const SOURCE = join(import.meta.dirname, '../../../src');
/** Files that decide which command a message names as the next one. */
const DECIDE_NEXT = [
  'decide/choice/available-agent.ts',
  'decide/choice/ending.ts',
  'domain/work-place.ts',
  'tell/asked.ts',
  'tell/next-commands.ts',
  'tell/open-tasks.ts',
  'tell/report.ts',
  'tell/suggest-strategy.ts',
];
const NIGHTS = join(import.meta.dirname, '../../golden/nights');

function allOf(command: Command): Command[] {
  return [command, ...command.commands.flatMap(allOf)];
}

/** The commands of ralph that a text names between quotes or behind "next: ". */
function namedIn(text: string, form: RegExp): string[] {
  return [...text.matchAll(form)].flatMap(([, name]) => name ?? []);
}

const program = await buildProgram(EVERY);

describe('ralph --help', () => {
  const help = program.helpInformation();
  const listed = [...help.matchAll(/^ {2}([a-z][a-z-]*) {2,}/gm)].map(([, name]) => name);

  it('lists the core, and names the way to the rest', () => {
    expect(listed).toEqual(CORE);
    expect(program.commands.length).toBeGreaterThan(40);
  });

  it('lists each command that is ever proposed as the next one', () => {
    const decided = DECIDE_NEXT.flatMap((path) =>
      namedIn(readFileSync(join(SOURCE, path), 'utf8'), /['`](?:[^'`\n]* && )?ralph ([a-z][a-z-]*)/g),
    );
    const seen = readdirSync(NIGHTS).flatMap((name) =>
      namedIn(readFileSync(join(NIGHTS, name), 'utf8'), /next: ralph ([a-z][a-z-]*)/g),
    );
    expect(new Set(decided).size).toBeGreaterThan(8);
    expect(seen.length).toBeGreaterThan(5);
    expect([...new Set([...decided, ...seen])].filter((name) => !CORE.includes(name))).toEqual([]);
  });

  it('says what each command does in at most 50 characters, beginning with a capital', () => {
    const said = allOf(program)
      .filter((command) => command !== program)
      .map((command) => command.summary() || command.description());
    expect(said.filter((text) => text.length > 50 || !/^[A-Z]/.test(text) || text.endsWith('.'))).toEqual([]);
  });
});
