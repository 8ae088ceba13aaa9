import { describe, expect, it } from 'vitest';
import { type Place, runWith } from './bench.ts';
import { type Agent, agents } from './given.ts';
import type { Scenario, Turn } from './model/scenario.ts';
import { claim, says, shell, write } from './talk.ts';

const FIRST = 'hello from the agent\n';
const SECOND = 'hello reader from the agent\n';
/** A file of the prover's own, by whose name the maker would be known to have seen it. */
const CHECK = 'proof-of-reader/check.sh';

/** @param body What it was asked, as JSON: quotation marks in its prompt are escaped there. */
function proves(body: string): readonly Turn[] {
  const nonce = /\\?"nonce\\?": \\?"(\w+)/.exec(body)?.[1];
  const files = [{ path: CHECK, text: 'grep -q "hello reader" src/hello.txt\n' }];
  const block = JSON.stringify({ nonce, checks: [{ criterion: 0, command: `sh ${CHECK}`, files }] });
  return [says('I read it.', shell('ls')), says(`A check of it.\n\n${block}`)];
}

const DONE = says(`It is there.\n\n${claim('src/hello.txt:1 created')}`);

/** Its session may be the one before, with the results of that. */
function makes(place: Place, body: string, results: readonly string[]): Turn {
  if (!body.includes("isn't shown")) {
    const turns = [says('I write it.', write(place, 'src/hello.txt', FIRST)), DONE];
    return turns[Math.min(results.length, 1)] ?? DONE;
  }
  const fix = shell(`printf '${SECOND.trim()}\\n' > src/hello.txt && cat src/hello.txt`);
  return results.some((one) => one.includes(SECOND.trim())) ? DONE : says('I name the reader.', fix);
}

function scenario(place: Place): Scenario {
  return {
    turns: [says('nobody hears this')],
    answers: ({ results, body }) => {
      if (!body.includes('You write checks that show whether it is done')) return makes(place, body, results);
      const all = proves(body);
      return all[Math.min(results.length, all.length - 1)] ?? says('');
    },
  };
}

const known = agents();
const pairs = [
  ['claude', 'codex'],
  ['codex', 'claude'],
].flatMap(([maker, prover]) => {
  const found = [maker, prover].map((name) => known.find((agent) => agent.name === name));
  return found.every((agent) => agent !== undefined) ? [found as [Agent, Agent]] : [];
});

it.skipIf(pairs.length === 0)('claude and codex are both here', () => expect(pairs).toHaveLength(2));

describe.each(pairs.map(([maker, prover]) => ({ maker, prover })))(
  '$prover.name writes checks of what $maker.name does',
  ({ maker, prover }) => {
    it('what fails one is not done, and nothing of it reaches the maker', async () => {
      const outcome = await runWith(maker, {
        name: `prover-${prover.name}`,
        others: [prover],
        args: ['--max-iterations', '3'],
        config: `[proof]\nprover = "${prover.name}"\n`,
        scenario,
      });
      expect(outcome.code, JSON.stringify(outcome.result)).toBe(0);
      expect(outcome.read('src/hello.txt')).toBe(SECOND);
      const [first, second] = outcome.iterations;
      expect(first?.decisions.prover).toMatchObject({ agent: prover.name, kept: 1 });
      expect(first?.decisions.verdict.kind).not.toBe('done');
      expect(second?.decisions.verdict).toEqual({ kind: 'done' });
      expect(second?.facts.promptText).toContain("isn't shown");
      expect(second?.facts.promptText).not.toContain('proof-of-reader');
      // What it used is billed to its own agent.
      expect(outcome.result.prover).toMatchObject({ agents: [prover.name], kept: 1, withdrawn: 0 });
      expect(outcome.alive ?? []).toEqual([]);
    });
  },
);
