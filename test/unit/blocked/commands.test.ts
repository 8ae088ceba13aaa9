import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { shellQuote } from 'ralph-kit/shell-quote';
import { describe, expect, it } from 'vitest';
import { taskOption, unblockCommand } from '../../../src/tell/commands.ts';
import { suggestStrategy } from '../../../src/tell/suggest-strategy.ts';
import { blockedBy, facts, noFiles } from './facts.ts';

describe('unblockCommand', () => {
  it.each([
    ['T-1', 'ralph unblock T-1 --timeout 90'],
    ['T 1', "ralph unblock 'T 1' --timeout 90"],
    ['#12', "ralph unblock '#12' --timeout 90"],
    ["it's", "ralph unblock 'it'\\''s' --timeout 90"],
    ['$(rm -rf .)', "ralph unblock '$(rm -rf .)' --timeout 90"],
    ['~', "ralph unblock '~' --timeout 90"],
    ['-x', "ralph unblock --timeout 90 -- '-x'"],
  ])('for %s', (id, command) => {
    expect(unblockCommand(id, { timeoutSeconds: 90 })).toBe(command);
  });

  it("names a task that begins with a dash so that it isn't an option", () => {
    expect(taskOption('-x')).toBe("--task='-x'");
    expect(taskOption('T 1')).toBe("--task 'T 1'");
  });
});

describe('a shell', () => {
  it('reads every word back as it was', () => {
    const words = fc.sample(fc.string({ unit: 'grapheme', maxLength: 12 }), 200);
    const odd = ['', ' ', "'", '"', '\\', '$HOME', '`id`', 'a\nb', '*', '!x', '-n', '~/x', 'é😀'];
    const all = [...words, ...odd].map((word) => word.replaceAll('\0', ''));
    const script = `printf '%s\\0' ${all.map(shellQuote).join(' ')}`;
    const read = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
    expect(read).toEqual(all);
  });

  it('gets the id of a task as one word, whatever it is', () => {
    const id = 'it\'s $(touch pwned) `x` "q" ; rm -rf .';
    const blocked = blockedBy('no_files', [noFiles]);
    const { command } = suggestStrategy(facts({ taskId: id, blocked }));
    const script = `ralph() { printf '%s\\0' "$@"; printf '\\0'; }\n${command}`;
    const calls = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0\0');
    expect(calls[0]?.split('\0').slice(0, 4)).toEqual(['feedback', 'add', '--task', id]);
    expect(calls[1]?.split('\0')).toEqual(['unblock', id]);
  });
});
