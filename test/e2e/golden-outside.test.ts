/** @module-tag slow */

import { existsSync } from 'node:fs';
import { expect, vi } from 'vitest';
import { claim } from '../helpers/cli.ts';
import {
  at,
  goldenNights,
  HONEST,
  inAttempt,
  type Night,
  shell,
  tasksOfTitles,
  write,
} from '../helpers/golden-night.ts';

/** An agent of your own that prints plain text; the first call goes wrong, the rest is honest work. */
const mine = (first: string) => ({
  files: {
    'agent.sh': [
      'cat > /dev/null',
      'if mkdir PLACE/called 2> /dev/null; then',
      first,
      'fi',
      'echo work > "$RALPH_TASK_ID.txt"',
      'printf "RALPH_STATUS\\nTASK: %s\\nSTATUS: DONE\\nEXIT_SIGNAL: true\\nEVIDENCE:\\n- %s.txt:1 it\\nEND_RALPH_STATUS\\n" "$RALPH_TASK_ID" "$RALPH_TASK_ID"\n',
    ].join('\n'),
  },
  toml: [
    '[runners.mine]\nargv = ["sh", "./agent.sh", "-"]',
    'limit = "credits? (?:are )?used up"\noutage = "backend is down"\nenv = { WHO = "mine" }',
    '[runners.other]\nargv = ["sh", "./agent.sh", "-"]',
  ].join('\n'),
});
const NIGHTS: Readonly<Record<string, Night>> = {
  outage: {
    tasks: tasksOfTitles('Write the parser', 'Write two'),
    ...mine('echo "the backend is down" >&2; exit 1'),
    typed: async ({ begin, ahead }) => {
      const run = begin('run', '--agent', 'mine');
      await run.says('waiting');
      ahead(60);
      await run.ends();
    },
  },
  'limit-with-fallback': {
    tasks: tasksOfTitles('Write the parser', 'Write two'),
    ...mine('echo "Your credits are used up, try again in 2 hours"; exit 1'),
    loop: 'fallback = ["other"]',
    typed: async ({ type }) => type('run', '--agent', 'mine'),
  },
  'limit-without-a-wait': {
    told: true,
    tasks: tasksOfTitles('Write the parser', 'Write two'),
    ...mine('echo "Your credits are used up, try again in 2 hours"; exit 1'),
    typed: async ({ type, ahead }) => {
      await type('run', '--agent', 'mine', '--no-wait');
      ahead(2 * 3600 + 60);
      await type('run', '--agent', 'mine', '--no-wait');
    },
  },
  'iteration-limit': {
    tasks: tasksOfTitles('Write the parser', 'Write two', 'Write three'),
    steps: [HONEST],
    typed: async ({ type }) => {
      await type('run', '--max-iterations', '2');
      await type('run');
    },
  },
  'no-progress': {
    tasks: tasksOfTitles('Write the parser', 'Write two'),
    loop: 'max_attempts_per_task = 9\nno_progress_limit = 3',
    steps: [{ do: [{ action: 'print', text: 'I looked around.' }] }],
  },
  'killed-and-started-again': {
    tasks: tasksOfTitles('Write the parser', 'Write two'),
    steps: [
      at(
        'T-1',
        shell('if mkdir PLACE/hung 2> /dev/null; then touch PLACE/ready; sleep 86400; fi'),
        write('T-1.txt', 'T-1\n'),
        claim('T-1.txt:1 it'),
      ),
      HONEST,
    ],
    typed: async ({ begin, type, place }) => {
      const run = begin('run');
      await vi.waitFor(() => expect(existsSync(`${place}/ready`)).toBe(true), {
        timeout: 150_000,
        interval: 20,
      });
      run.kill();
      await run.ends();
      await type('run');
    },
  },
  'budget-stop': {
    told: true,
    tasks: tasksOfTitles('Write the parser', 'Write two', 'Write three'),
    toml: '[budget]\niterations = 2',
    steps: [HONEST],
    typed: async ({ type }) => {
      await type('run');
      await type('run');
      await type('resume');
      await type('run');
    },
  },
  'budget-ends-an-attempt': {
    tasks: tasksOfTitles('Write the parser'),
    toml: '[budget]\ntokens = 1000',
    steps: [
      {
        do: [
          write('src/parser.js', 'parse\n'),
          { action: 'usage', input_tokens: 900, output_tokens: 200 },
          { action: 'hang' },
        ],
      },
    ],
  },
  'wiggum-break': {
    told: true,
    tasks: tasksOfTitles('Write the parser', 'Write two'),
    steps: [{ do: [{ action: 'exit', code: 1 }] }],
    typed: async ({ type, write: put }) => {
      await type('run');
      await type('run');
      put('.ralph/scenario.json', JSON.stringify({ output: 'claude-stream', steps: [HONEST] }));
      await type('resume');
      await type('run');
    },
  },
  timeouts: {
    told: true,
    tasks: ['**T-1** Write the parser\n  - Timeout: 2s', '**T-2** Write two'],
    loop: 'max_attempts_per_task = 2\ngrace = 0.2',
    toml: '[adaptive_timeout]\nfailure_scaling = false\nlearned = false',
    steps: [at('T-1', { action: 'hang' }), HONEST],
  },
  'limit-of-operations': {
    tasks: tasksOfTitles('Write the parser', 'Write two'),
    toml: '[limits]\nmax_file_operations = 2',
    steps: [
      inAttempt(
        'T-1',
        1,
        ...['a', 'b', 'c'].map((name) => ({ action: 'shell' as const, command: `touch ${name}` })),
        { action: 'hang' },
      ),
      HONEST,
    ],
  },
};

goldenNights(NIGHTS);
