/** @module-tag slow */

import { appears, claim, scenarioOf, write } from '../helpers/cli.ts';
import { type Golden, golden, goldenNights } from '../helpers/golden-night.ts';
import { at, HONEST, inAttempt, type Night, shell } from '../helpers/night.ts';

/**
 * Returns a night with an agent of your own that prints plain text; its first call goes wrong, the next ones do honest
 * work.
 */
const mine = (one: Night, first: string) =>
  one
    .files({
      'agent.sh': [
        'cat > /dev/null',
        'if mkdir PLACE/called 2> /dev/null; then',
        first,
        'fi',
        'echo work > "$RALPH_TASK_ID.txt"',
        'printf "RALPH_STATUS\\nTASK: %s\\nSTATUS: DONE\\nEXIT_SIGNAL: true\\nEVIDENCE:\\n- %s.txt:1 it\\nEND_RALPH_STATUS\\n" "$RALPH_TASK_ID" "$RALPH_TASK_ID"\n',
      ].join('\n'),
    })
    .toml(
      '[runners.mine]\nargv = ["sh", "./agent.sh", "-"]',
      'limit = "credits? (?:are )?used up"\noutage = "backend is down"\nenv = { WHO = "mine" }',
      '[runners.other]\nargv = ["sh", "./agent.sh", "-"]',
    );
const NIGHTS: Readonly<Record<string, Golden>> = {
  outage: {
    night: mine(golden('Write the parser', 'Write two'), 'echo "the backend is down" >&2; exit 1'),
    typed: async ({ begin, ahead }) => {
      const run = begin('run', '--agent', 'mine');
      await run.says('waiting');
      ahead(60);
      await run.ends();
    },
  },
  'limit-with-fallback': {
    night: mine(
      golden('Write the parser', 'Write two'),
      'echo "Your credits are used up, try again in 2 hours"; exit 1',
    ).loop('fallback = ["other"]'),
    typed: async ({ type }) => type('run', '--agent', 'mine'),
  },
  'limit-without-a-wait': {
    night: mine(
      golden('Write the parser', 'Write two'),
      'echo "Your credits are used up, try again in 2 hours"; exit 1',
    ),
    told: true,
    typed: async ({ type, ahead }) => {
      await type('run', '--agent', 'mine', '--no-wait');
      ahead(2 * 3600 + 60);
      await type('run', '--agent', 'mine', '--no-wait');
    },
  },
  'iteration-limit': {
    night: golden('Write the parser', 'Write two', 'Write three').agent(HONEST),
    typed: async ({ type }) => {
      await type('run', '--max-iterations', '2');
      await type('run');
    },
  },
  'no-progress': golden('Write the parser', 'Write two')
    .loop('max_attempts_per_task = 9\nno_progress_limit = 3')
    .agent({ do: [{ action: 'print', text: 'I looked around.' }] }),
  'killed-and-started-again': {
    night: golden('Write the parser', 'Write two').agent(
      at(
        'T-1',
        shell('if mkdir PLACE/hung 2> /dev/null; then touch PLACE/ready; sleep 86400; fi'),
        write('T-1.txt', 'T-1\n'),
        claim('T-1.txt:1 it'),
      ),
      HONEST,
    ),
    typed: async ({ begin, type, place }) => {
      const run = begin('run');
      await appears(`${place}/ready`);
      run.kill();
      await run.ends();
      await type('run');
    },
  },
  'budget-stop': {
    night: golden('Write the parser', 'Write two', 'Write three')
      .toml('[budget]\niterations = 2')
      .agent(HONEST),
    told: true,
    typed: async ({ type }) => {
      await type('run');
      await type('run');
      await type('resume');
      await type('run');
    },
  },
  'budget-ends-an-attempt': golden('Write the parser')
    .toml('[budget]\ntokens = 1000')
    .agent({
      do: [
        write('src/parser.js', 'parse\n'),
        { action: 'usage', input_tokens: 900, output_tokens: 200 },
        { action: 'hang' },
      ],
    }),
  'wiggum-break': {
    night: golden('Write the parser', 'Write two').agent({ do: [{ action: 'exit', code: 1 }] }),
    told: true,
    typed: async ({ type, write: put }) => {
      await type('run');
      await type('run');
      put('.ralph/scenario.json', scenarioOf([HONEST]));
      await type('resume');
      await type('run');
    },
  },
  timeouts: {
    night: golden('**T-1** Write the parser\n  - Timeout: 2s', '**T-2** Write two')
      .loop('max_attempts_per_task = 2\ngrace = 0.2')
      .toml('[adaptive_timeout]\nfailure_scaling = false\nlearned = false')
      .agent(at('T-1', { action: 'hang' }), HONEST),
    told: true,
  },
  'limit-of-operations': golden('Write the parser', 'Write two')
    .toml('[limits]\nmax_file_operations = 2')
    .agent(
      inAttempt(
        'T-1',
        1,
        ...['a', 'b', 'c'].map((name) => ({ action: 'shell' as const, command: `touch ${name}` })),
        { action: 'hang' },
      ),
      HONEST,
    ),
};

goldenNights(NIGHTS);
