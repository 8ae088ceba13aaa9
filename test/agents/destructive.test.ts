import { describe, expect, it } from 'vitest';
import { type Place, runWith } from './bench.ts';
import { agents } from './given.ts';
import { claim, says, shell, write } from './talk.ts';

const TEST = `import assert from 'node:assert';\nimport { it } from 'node:test';\nit('adds', () => {\n  assert.equal(1 + 1, 2);\n});\n`;
const FILES = {
  'sum.test.mjs': TEST,
  // What removes it isn't seen in the command.
  'tidy.sh': 'rm sum.test.mjs\n',
};
/** Node's tests at any time, as names that pass. */
const GATE = 'node --test --test-reporter=tap';

const greets = (place: Place) => says('I write it.', write(place, 'src/hello.txt', 'hello\n'));

describe.each(agents())('$name', (agent) => {
  it('removes the only test by a script: the task waits for you, and no lie is counted', async () => {
    const outcome = await runWith(agent, {
      name: 'destructive-script',
      args: ['--max-iterations', '3'],
      files: FILES,
      config: `[gates]\ncommands = [{ name = "test", run = "${GATE}", parses = "tap" }]\n`,
      scenario: (place) => ({
        turns: [greets(place), says('I tidy up.', shell('sh tidy.sh')), says(claim('src/hello.txt:1 it'))],
      }),
    });
    expect([outcome.code, outcome.result.lies_caught]).toEqual([5, 0]);
    expect(outcome.iterations).toHaveLength(1);
    expect(outcome.read('sum.test.mjs')).toBe(TEST);
    expect(outcome.read('.ralph/PRD.md')).toContain('- [ ] **T-1**');
    expect(JSON.stringify(outcome.result.next)).toContain('ralph approvals');
  });

  it('claims twice what it did not do: its third prompt says each cause once', async () => {
    const outcome = await runWith(agent, {
      name: 'third-prompt',
      args: ['--max-iterations', '3'],
      loop: 'max_attempts_per_task = 3\n',
      scenario: () => ({ turns: [says(claim('src/hello.txt:1 it'))] }),
    });
    const prompts = outcome.iterations.map(({ facts }) => facts.promptText);
    expect(Buffer.byteLength(prompts[2] ?? '')).toBeLessThanOrEqual(4096);
    expect(prompts[2]?.match(/wrote NO FILES/g) ?? []).toHaveLength(1);
    expect(outcome.iterations.map(({ decisions }) => decisions.verdict.kind)).toEqual(
      Array.from({ length: 3 }, () => 'no_files'),
    );
  });
});
