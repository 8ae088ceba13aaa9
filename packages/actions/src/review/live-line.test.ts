import * as fc from 'fast-check';
import { liveLine } from 'ralph-actions/review';
import { ADAPTERS } from 'ralph-agents';
import { describe, expect, it } from 'vitest';
import { actionOf } from '../../../../test/helpers/action.ts';
import { eventsOf } from '../../../../test/helpers/agent-recordings.ts';

const { claude, codex } = ADAPTERS;

const describeCall = (tool: string, input: Record<string, unknown>) => liveLine(actionOf(tool, input));

describe('liveLine', () => {
  it.each([
    ['Write', { content: 'x', file_path: 'src/x.ts' }, 'Write src/x.ts'],
    ['Bash', { description: 'run the tests', command: 'npm test' }, 'Bash npm test'],
    ['shell', { command: "/bin/bash -lc 'npm test'" }, 'shell npm test'],
    ['apply_patch', { changes: [{ path: 'a.ts' }, { path: 'b.ts' }] }, 'apply_patch a.ts b.ts'],
    ['Grep', { pattern: 'TODO' }, 'Grep TODO'],
    ['TodoWrite', { todos: [] }, 'TodoWrite'],
    ['', {}, 'tool'],
    ['Bash', { command: 'a\n\tb \u001b[31mred\u001b[0m \u202e evil' }, 'Bash a b red evil'],
  ])('%s %j', (tool, input, expected) => {
    expect(describeCall(tool, input)).toBe(expected);
  });

  it('shows the calls of recordings', () => {
    const calls = [claude, codex].flatMap((adapter) =>
      eventsOf(adapter, 'a-writes-file').flatMap((event) =>
        event.kind === 'tool_call' ? liveLine(event.action) : [],
      ),
    );
    expect(calls).toEqual([
      'Write <repo>/src/hello.txt',
      'Bash cat src/hello.txt',
      'apply_patch <repo>/src/hello.txt',
      'shell cat src/hello.txt',
    ]);
  });

  it('is one short line whatever the call holds', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (tool, input) => {
          const line = describeCall(tool, { command: tool.repeat(50), ...input });
          expect([...line].length).toBeLessThanOrEqual(100);
          expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
        },
      ),
      { numRuns: 200 },
    );
  });
});
