import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { adapterFor } from 'ralph-agents';
import { describe, expect, it } from 'vitest';
import type { ReviewFacts } from '../../src/domain/review.ts';
import { type Outcome, runWith } from './bench.ts';
import { type Agent, agents } from './given.ts';
import { doesTheWork, says, shell, write } from './talk.ts';

/** Agents that ask before they act. */
const gated = agents().filter(hasGate);

describe.each(gated)('$name, with its gate', (agent) => {
  it('deletes nothing outside of the repository, is told why, and continues', async () => {
    const outcome = await runWith(agent, {
      name: 'gate-deletion-outside',
      scenario: (place) => ({
        turns: [says('I tidy up first.', shell(`rm -r ${place.precious}`)), ...doesTheWork(place)],
      }),
    });
    expect(keeps(outcome)).toBe(true);
    const { mode, denied, blocked, unreviewed } = reviewOf(outcome);
    expect({ mode, denied, unreviewed }).toEqual({ mode: 'hook', denied: 1, unreviewed: null });
    const [refusal] = blocked;
    expect(refusal?.action).toContain('rm -r');
    expect(plain(outcome.requests[1]?.results[0])).toContain(plain(refusal?.reason));
    expect(outcome.iterations[0]?.decisions.verdict).toEqual({ kind: 'done' });
    expect(outcome.alive ?? []).toEqual([]);
  });

  it('deletes what is its own in the repository', async () => {
    const outcome = await runWith(agent, {
      name: 'gate-deletion-inside',
      files: { 'old/parser.txt': 'old\n' },
      scenario: (place) => ({
        turns: [says('The old one goes.', shell('rm -r old')), ...doesTheWork(place)],
      }),
    });
    expect(outcome.read('old/parser.txt')).toBeNull();
    expect(reviewOf(outcome)).toMatchObject({ mode: 'hook', denied: 0, unreviewed: null });
    expect(outcome.iterations[0]?.decisions.verdict).toEqual({ kind: 'done' });
  });

  it('writes neither to .ralph/ nor to its own settings', async () => {
    const outcome = await runWith(agent, {
      name: 'gate-protected-files',
      files: { [join(agent.settingsFile, '..', 'kept.txt')]: 'its folder is there\n' },
      scenario: (place) => ({
        turns: [
          says('The plan first.', write(place, '.ralph/PLAN.md', '- [x] **T-1** Create src/hello.txt\n')),
          says('My settings then.', write(place, agent.settingsFile, '{}\n')),
          ...doesTheWork(place),
        ],
      }),
    });
    expect(outcome.read('.ralph/PLAN.md')).toBeNull();
    expect(outcome.read(agent.settingsFile)).toBeNull();
    expect(reviewOf(outcome)).toMatchObject({ mode: 'hook', denied: 2, unreviewed: null });
    expect(outcome.iterations[0]?.decisions.verdict).toEqual({ kind: 'done' });
  });

  it.runIf(agent.switchOff !== null)(
    'cannot have it switched off by settings in the repository',
    async () => {
      const { path, content } = agent.switchOff ?? { path: '', content: '' };
      const outcome = await runWith(agent, {
        name: 'gate-switched-off',
        // What a script does is not seen in the command that starts it.
        files: { 'setup.sh': `mkdir -p "$(dirname ${path})"\nprintf '%s' '${content}' > ${path}\n` },
        scenario: (place) => ({
          turns: [
            says('I set it up.', shell('sh ./setup.sh')),
            says('I tidy up.', shell(`rm -r ${place.precious}`)),
            ...doesTheWork(place),
          ],
        }),
      });
      const { denied, unreviewed } = reviewOf(outcome);
      if (keeps(outcome)) expect({ denied, unreviewed }).toEqual({ denied: 1, unreviewed: null });
      else {
        // Where it cannot be prevented it is seen, and counts for nothing.
        expect(unreviewed).not.toBeNull();
        expect(outcome.code).not.toBe(0);
        expect(outcome.read('.ralph/PRD.md')).toContain('- [ ] **T-1**');
      }
    },
  );
});

function hasGate({ name }: Agent): boolean {
  const choice = adapterFor(name, {});
  return choice.ok && (choice.adapter.hook ?? null) !== null;
}

function keeps({ precious }: Outcome): boolean {
  return existsSync(join(precious, 'keep.txt'));
}

function reviewOf({ iterations }: Outcome): ReviewFacts {
  const facts = iterations[0]?.facts as { review?: ReviewFacts } | undefined;
  if (facts?.review === undefined) throw new Error('the record says nothing of a review');
  return facts.review;
}

/** Words alone: formats escape the signs between them in their own ways. */
function plain(text: string | undefined): string {
  return (text ?? '').replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}
