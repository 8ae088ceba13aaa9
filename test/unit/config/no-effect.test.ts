import { expect, it } from 'vitest';
import { loaded } from './load.ts';

function warningsOf(...input: Parameters<typeof loaded>): string[] {
  return loaded(...input).warnings.map(({ line, message }) => `${line}: ${message}`);
}

it.each([
  ['[git]\nmessage = "x"\ncommit = "never"', '2: [git] message has no effect: [git] commit = "never"'],
  ['[git]\nbranch_prefix = "x/"', '2: [git] branch_prefix has no effect: [git] branch_strategy = "none"'],
  ['[git]\npush = "checkpoints"\ncommit = "never"', '2: [git] push has no effect: [git] commit = "never"'],
  ['[git]\npull_request = "draft"', '2: [git] pull_request has no effect: [git] push = "never"'],
  ['[box]\nmode = "off"\nwritable = ["~/x"]', '3: [box] writable has no effect: [box] mode = "off"'],
  [
    '[tracker]\nkind = "yaml"\nlabel = "ralph"',
    '3: [tracker] label has no effect: [tracker] kind isn\'t "github", "jira", "linear", "json" or "auto"',
  ],
  [
    '[tracker]\nclose_on_done = true',
    '2: [tracker] close_on_done has no effect: [tracker] kind isn\'t "github", "jira" or "linear"',
  ],
  ['[tracker]\nkind = "github"\npath = "x.md"', '3: [tracker] path has no effect: [tracker] kind = "github"'],
  ['[gates]\noutput_limit = 3', '2: [gates] output_limit has no effect: there are no gates'],
  [
    '[review]\nenabled = false\nrequire_gate = true',
    '3: [review] require_gate has no effect: [review] enabled = false',
  ],
  [
    '[adaptive_timeout]\nenabled = false\n[adaptive_timeout.complexity.simple]\nmultiplier = 2',
    '4: [adaptive_timeout.complexity.simple] multiplier has no effect: [adaptive_timeout] enabled = false',
  ],
  [
    '[interventions]\nenabled = false\ncooldown_seconds = 3',
    '3: [interventions] cooldown_seconds has no effect: [interventions] enabled = false',
  ],
  [
    '[interventions.soft_correction]\nenabled = false\nmax_attempts = 2',
    '3: [interventions.soft_correction] max_attempts has no effect: [interventions.soft_correction] enabled = false',
  ],
  [
    '[interventions.strategy]\nmodule = "./x.js"',
    '2: [interventions.strategy] module has no effect: [interventions.strategy] type isn\'t "custom"',
  ],
  [
    '[unblock]\nmax_auto_unblock_attempts = 2\nauto = false',
    '2: [unblock] max_auto_unblock_attempts has no effect: [unblock] auto = false',
  ],
])('%s', (text, expected) => {
  expect(warningsOf(text)).toEqual([expected]);
});

it.each([
  [
    'what is in effect',
    '[git]\ncommit = "on_done"\nmessage = "x"\npush = "never"\npull_request = "never"\n[box]\nwritable = ["~/x"]',
  ],
  ['one gate', '[gates]\ncommands = ["true"]\noutput_limit = 3'],
  ['one channel', '[notify]\nwebhook = "https://example.com"'],
  ['a human gate that exists', '[human.gates.GATE-AP-RECOVERY]\ntimeout = "10m"'],
  ['single actions', '[human.gates.MANUAL]\ntimeout = "10m"'],
])('no warning: %s', (_name, text) => {
  expect(warningsOf(text)).toEqual([]);
});

it.each([
  ['[unblock]\nmax_auto_unblock_attempts = 2', 'unblock.auto', true],
  ['[unblock]\nauto = false\nmax_auto_unblock_attempts = 2', 'unblock.auto', false],
  ['[interventions]\npreserve_incident_data_days = 9', 'interventions.auto_cleanup', true],
  [
    '[interventions]\npreserve_incident_data_days = 9\nauto_cleanup = false',
    'interventions.auto_cleanup',
    false,
  ],
  ['[review]\nasync_threshold = 0.4', 'review.mode', 'async'],
  ['[review]\nmode = "blocking"\nasync_threshold = 0.4', 'review.mode', 'async'],
  ['', 'unblock.auto', false],
  ['', 'interventions.auto_cleanup', false],
  ['', 'review.mode', 'blocking'],
])('%j: %s is %s', (text, key, value) => {
  const read = loaded(text);
  expect(read.entries().find((one) => one.key === key)?.value).toBe(value);
});

it('a flag is stronger than what a file implies', () => {
  const text = '[review]\nasync_threshold = 0.4';
  const flags = { 'review.mode': 'blocking' };
  expect(loaded(text, { flags }).config.review.mode).toBe('blocking');
});

it("what is switched off for one call isn't a mistake of the file", () => {
  const text = '[git]\ncommit = "on_done"\nmessage = "x"\n[box]\nwritable = ["~/x"]';
  expect(warningsOf(text, { flags: { 'git.commit': 'never' }, env: { RALPH_BOX_MODE: 'off' } })).toEqual([]);
});
