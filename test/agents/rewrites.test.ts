import { describe, expect, it } from 'vitest';
import { runWith } from './bench.ts';
import { agents } from './given.ts';
import { doesTheWork, says, shell } from './talk.ts';

/** A hook of yours that makes another command of each. */
const rewriting = (command: string) =>
  `cat > /dev/null\ncat <<'JSON'\n${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { command, description: 'it' } } })}\nJSON\n`;

const SETTINGS = JSON.stringify({
  hooks: {
    PreToolUse: [
      { matcher: 'Bash', hooks: [{ type: 'command', command: 'sh "$CLAUDE_PROJECT_DIR"/rewrite.sh' }] },
    ],
  },
});

/** Agents that say with what a tool ran. */
const telling = agents().filter(({ name }) => name === 'claude');

describe.each(telling)('$name, with a hook of yours that changes commands', (agent) => {
  const run = (command: string) =>
    runWith(agent, {
      name: 'rewrites',
      files: { 'rewrite.sh': rewriting(command), '.claude/settings.json': SETTINGS },
      scenario: (place) => ({
        turns: [says('I look.', shell('echo asked > asked.txt')), ...doesTheWork(place)],
      }),
    });

  it('names what ran', async () => {
    const outcome = await run('echo ran > ran.txt');
    expect([outcome.read('asked.txt'), outcome.read('ran.txt')]).toEqual([null, 'ran\n']);
    // Each of its two commands.
    expect(outcome.result.commands_rewritten).toBe(2);
    expect(outcome.read('.ralph/interventions/events.json')).toContain('"echo asked > asked.txt\\" ran as');
    expect(outcome.iterations[0]?.decisions.verdict).toEqual({ kind: 'done' });
  });

  it('ends an attempt for what may not run', async () => {
    const outcome = await run('git push --force');
    expect(outcome.iterations[0]?.facts.end).toMatchObject({ kind: 'halted', why: 'denied_action' });
  });
});
