// Writes the tables of rules, triggers and thresholds into docs/ from the code's own data; --check only reports whether
// they are up to date.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importSource } from './import-source.mjs';

const DOCS = join(import.meta.dirname, '..', 'docs');
const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const {
  RULES,
  TRIGGERS,
  OPTIONS,
  HumanGateSettings,
  authorityFor,
  BUDGET_STEPS,
  STOP_ABOVE,
  DOWNGRADE_MAKER,
  BREAK_LIMITS,
  HARD_TRIGGERS,
  SOFT_TRIGGERS,
  LESSONS_SHOWN,
  FINDINGS_MOST,
  PROMPT_SHARE,
  FINDING_TYPES,
  INTERVENTION_TYPES,
  LARGE_REPOSITORY,
  ladderOf,
  stepAt,
  typical,
} = await importSource(`
  export { RULES } from 'ralph-actions/review';
  export { TRIGGERS } from './domain/human/gate.ts';
  export { authorityFor } from './respond/human/authority.ts';
  export { OPTIONS } from './tell/gate-options.ts';
  export { HumanGateSettings } from './domain/human/settings.ts';
  export { BUDGET_STEPS } from './domain/policy.ts';
  export { DOWNGRADE_MAKER } from './respond/policy/budget.ts';
  export { STOP_ABOVE } from './respond/policy/decide-policy.ts';
  export { FINDING_TYPES } from './domain/findings/index.ts';
  export { INTERVENTION_TYPES } from './domain/intervention.ts';
  export { LARGE_REPOSITORY } from './decide/human-gate.ts';
  export { BREAK_LIMITS, ladderOf, stepAt, typical } from './respond/table.ts';
  export { HARD_TRIGGERS, SOFT_TRIGGERS } from './domain/policy.ts';
  export { LESSONS_SHOWN, FINDINGS_MOST, PROMPT_SHARE } from './respond/policy/pollution.ts';
`);
const gates = HumanGateSettings.parse({});
const [recovery, falsePositive, destructive] = [
  gates['GATE-AP-RECOVERY'],
  gates['GATE-AP-FALSE-POSITIVE'],
  gates['GATE-AP-DESTRUCTIVE'],
];

/** A row for each trigger: its gate, its condition, and the key of its number. */
const TRIGGER_ROWS = {
  recovery_attempts: [
    'GATE-AP-RECOVERY',
    `${recovery.recovery_attempts} attempts to recover failed`,
    'recovery_attempts',
  ],
  diagnosis_confidence: [
    'GATE-AP-RECOVERY',
    `the diagnosis is less sure than ${recovery.confidence}`,
    'confidence',
  ],
  critical: ['GATE-AP-RECOVERY', 'the severity is critical', null],
  infinite_loop: ['GATE-AP-RECOVERY', 'the same fix or failure came again', null],
  non_deterministic: ['GATE-AP-RECOVERY', 'a gate ended differently on the same tree', null],
  reported: ['GATE-AP-FALSE-POSITIVE', 'you report a false positive', null],
  disputed_check: ['GATE-AP-FALSE-POSITIVE', 'work fails by a check that the prover keeps', null],
  bent_demand: [
    'GATE-AP-FALSE-POSITIVE',
    'what a gate or test demands is changed once more instead of met',
    null,
  ],
  detection_confidence: [
    'GATE-AP-FALSE-POSITIVE',
    `a finding that would act is less sure than ${falsePositive.detection_confidence}`,
    'detection_confidence',
  ],
  tests_removed: [
    'GATE-AP-DESTRUCTIVE',
    `${above(destructive.tests_removed, 'test')} is removed, or passed before and is missing`,
    'tests_removed',
  ],
  coverage_drop: [
    'GATE-AP-DESTRUCTIVE',
    `coverage drops by more than ${-destructive.coverage_delta} points`,
    'coverage_delta',
  ],
  features_removed: [
    'GATE-AP-DESTRUCTIVE',
    `${above(destructive.features_removed, 'feature')} is removed: an export, a command, a route`,
    'features_removed',
  ],
  assertions_weakened: [
    'GATE-AP-DESTRUCTIVE',
    `more than ${destructive.assertions_weakened} assertions are weakened`,
    'assertions_weakened',
  ],
  skips_added: [
    'GATE-AP-DESTRUCTIVE',
    `${above(destructive.skip_patterns_added, 'skip')} is added`,
    'skip_patterns_added',
  ],
  large_repository: [
    'GATE-AP-DESTRUCTIVE',
    `a folder that was a repository of its own would be committed with more than ${LARGE_REPOSITORY.files.toLocaleString('en')} files or ${LARGE_REPOSITORY.bytes / 1e6} MB`,
    null,
  ],
  manual: ['MANUAL', 'an agent wants to write, delete, or run a command', null],
};

/** A row for each issue: its severities, their wording, and when it is found. */
const ANSWER_ROWS = {
  no_files: [
    ['low', 'medium'],
    'low; medium if completion was claimed',
    "the agent ended well, and the task's attempts together changed no file",
  ],
  false_completion: [
    ['medium'],
    'medium',
    'completion was claimed, but nothing changed, a gate broke, a check was weakened, or evidence is missing',
  ],
  evidence_missing: [['low'], 'low', 'writes are claimed without possible evidence'],
  repetitive_errors: [
    ['low', 'medium', 'high'],
    'low to high, by count',
    'a tool error three times in an attempt, or a gate failing alike twice in a row',
  ],
  scope_creep: [['medium'], 'medium', "files outside the task's `Files:`, or over twice as many"],
  goal_drift: [
    ['low'],
    'low',
    'the last five or more actions touch no expected path and share no word with the task',
  ],
  resource_spiral: [
    ['medium', 'high'],
    'medium; high above 2.0 or at a limit',
    'operations, tokens, memory or time grow',
  ],
  hallucination: [
    ['medium'],
    'medium',
    "the report names files that don't exist, or says that failed tests pass",
  ],
  gate_regression: [['medium'], 'medium', 'a gate that passed before fails'],
  oscillation: [['medium'], 'medium', 'the work tree is one that the task had before'],
  critical_security_violation: [['critical'], 'critical', 'a credential in an added line'],
  state_tampering: [
    ['high'],
    'high; critical for commands of `ralph.toml`',
    'without a box: the agent wrote what only ralph or you write',
  ],
  unreviewed_action: [['high'], 'high', "something happened that the review hook didn't allow"],
  action_denied: [['medium'], 'medium', 'the agent tried something denied, not only for caution'],
  avoidance: [['high'], 'by its kind', 'checks are made weaker'],
};

/** Short words for the interventions, as the document uses them. */
const SHORT = ['soft', 'reinforce', 'throttle', 'rollback', 'stop'];

/** Returns the steps of the first to fourth time, without repeated ones. */
function steps(type, severity) {
  const finding = typical(type, severity);
  const all = [1, 2, 3, 4].map((times) => stepAt(finding, times));
  const last = all.indexOf(ladderOf(finding).at(-1));
  return (last < 0 ? all : all.slice(0, last + 1))
    .map((step) => SHORT[INTERVENTION_TYPES.indexOf(step)])
    .join(', ');
}

const BREAK_ROWS = {
  agent_failures: `${BREAK_LIMITS.failures} failures or time-outs of the agent in a row, all without output and changed files, or over 2 or more tasks`,
  task_failures: `${BREAK_LIMITS.blocked} different tasks blocked in a row, other than by the agent's own report`,
  red_after_landing:
    'a gate fails on your branch, three times, and passes on it without the newest results: the one to blame is reverted',
  repeated_shadow: `one shadow ${BREAK_LIMITS.shadows} times in one cycle`,
  oscillating_findings: `${BREAK_LIMITS.oscillating} or more findings that had gone are back`,
  same_findings: 'a cycle has the findings of the one before',
  low_convergence: `a score under ${BREAK_LIMITS.convergence} in 2 cycles in a row: resolved ÷ (resolved + still open + new)`,
  growing_findings: 'a cycle has more findings than the one before',
};

/** Results of the last `npm run test:agents`, by program. */
const SEEN = join(import.meta.dirname, '..', 'test', 'agents', 'seen');
const seen = readdirSync(SEEN).map((file) => ({
  program: file.replace(/\.json$/, ''),
  ...JSON.parse(readFileSync(join(SEEN, file), 'utf8')),
}));
/** Numbered remarks below the table, which are longer than a cell. */
const remarks = [];

function seenCell({ seen: words, wrong } = { seen: 'not seen' }) {
  if (wrong !== undefined) {
    if (!remarks.includes(wrong)) remarks.push(wrong);
    return `**${words}** (${remarks.indexOf(wrong) + 1})`;
  }
  return words.replace('it prints plain text: ralph sees no actions', 'not testable: plain text');
}

const TABLES = {
  'agent cases': () => {
    const names = [...new Set(seen.flatMap(({ cases }) => Object.keys(cases)))];
    const rows = names.toSorted().map((name) => [name, ...seen.map(({ cases }) => seenCell(cases[name]))]);
    const cells = table(['', ...seen.map(({ program, version }) => `${program} ${version}`)], rows);
    return [cells, ...remarks.map((one, at) => `${at + 1}. Should be: ${one}.\n`)].join('\n');
  },
  answers: () => {
    const rows = ordered(FINDING_TYPES, ANSWER_ROWS);
    return table(
      ['issue', 'severity', 'when', 'step, time by time'],
      FINDING_TYPES.map((type, at) => {
        const [severities, said, when] = rows[at];
        const bySeverity = severities.map((severity) => [severity, steps(type, severity)]);
        const isOne = new Set(bySeverity.map(([, text]) => text)).size === 1;
        const cell = isOne
          ? bySeverity[0][1]
          : bySeverity.map(([severity, text]) => `${severity}: ${text}`).join('; ');
        return [`\`${type}\``, said, when, cell];
      }),
    );
  },
  rules: () =>
    RULES.map(
      ({ name, ruling, essential, fixed, finds, instead }) =>
        `### \`${name}\`\n\n${finds}\n\n- Ruling: ${ruling}${essential ? ', essential' : ''}${fixed ? ', always on' : ''}\n- Instead: ${instead}\n`,
    ).join('\n'),
  triggers: () => {
    const rows = ordered(TRIGGERS, TRIGGER_ROWS);
    const gatesOf = [...new Set(rows.map(([gate]) => gate))];
    return gatesOf
      .map((name) => {
        const triggers = rows.filter(([gate]) => gate === name);
        return `- \`${name}\`: ${triggers.map(([, when, key]) => (key === null ? when : `${when} (\`${key}\`)`)).join('; ')}\n`;
      })
      .join('');
  },
  options: () =>
    Object.entries(OPTIONS)
      .map(([gate, options]) => {
        const texts = options.map(
          ({ option, label, effect }) =>
            `\`${option}\` (${small(label)}${effect === 'defers' ? ', undecided' : ''})`,
        );
        return `- \`${gate}\`: ${texts.join(', ')}\n`;
      })
      .join(''),
  deciders: () =>
    table(
      ['gate', 'role', 'signature', 'answer when its timeout is over'],
      Object.entries(gates).map(([gate, { timeout, on_timeout = 'block' }]) => {
        const [always, critical] = ['low', 'critical'].map((severity) =>
          authorityFor({ gate, facts: { severity } }, gates),
        );
        return [
          `\`${gate}\``,
          always.role.replace('_', ' '),
          always.signed ? 'yes' : critical.signed ? 'where the severity is critical' : 'no',
          timeout === 0 ? 'it waits for ever' : `${on_timeout} after ${timeout / 60} min`,
        ];
      }),
    ),
  budget: () =>
    table(
      ['share', 'what happens'],
      [
        [percent(BUDGET_STEPS.warn), 'a warning'],
        [
          percent(BUDGET_STEPS.downgrade),
          `reviewers and planners with \`[runners.NAME] downgrade\` use that model when they start next, the maker from ${percent(DOWNGRADE_MAKER)} on, or from ${percent(BUDGET_STEPS.downgrade)} without such reviewers and planners. At a checkpoint the run stops above ${percent(STOP_ABOVE)}`,
        ],
        [percent(BUDGET_STEPS.finish), 'the task in progress is finished; no other is started (exit 7)'],
        [
          percent(BUDGET_STEPS.stop),
          'the attempt and its reviews are ended and the run stops (exit 7); the work is saved',
        ],
      ],
    ),
  'hard breaks': () => breaks(HARD_TRIGGERS),
  'soft breaks': () => breaks(SOFT_TRIGGERS),
  pollution: () =>
    table(
      ['sign', 'what is done'],
      [
        [
          `more than ${LESSONS_SHOWN} lessons matter to a task`,
          'the prompt has those that concern it most; of more than 15 the most frequent',
        ],
        [
          `more than ${FINDINGS_MOST} findings of reviewers are open at a task`,
          'the maker is told 5 themes, each with its worst finding',
        ],
        [
          `the prompt fills more than ${percent(PROMPT_SHARE)} of the agent's context window (\`[runners.NAME] context_window\`)`,
          'examples are left out, and blocks of code in your notes',
        ],
      ],
    ),
};

function breaks(wanted) {
  const rows = ordered([...HARD_TRIGGERS, ...SOFT_TRIGGERS], BREAK_ROWS);
  return table(
    ['trigger', 'when'],
    wanted.map((name, at) => [
      `\`${name}\``,
      rows[at + (wanted === HARD_TRIGGERS ? 0 : HARD_TRIGGERS.length)],
    ]),
  );
}

/** Returns the rows of all names in the order of the code. @throws if a name has no row. */
function ordered(names, rows) {
  const unknown = [
    ...names.filter((name) => !(name in rows)),
    ...Object.keys(rows).filter((name) => !names.includes(name)),
  ];
  if (unknown.length > 0) throw new Error(`No row fits: ${unknown.join(', ')}`);
  return names.map((name) => rows[name]);
}

function table(head, rows) {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
    .concat('\n');
}

function percent(share) {
  return `${Math.round(share * 100)} %`;
}

function above(limit, noun) {
  return limit === 0 ? `a ${noun}` : `more than ${limit} ${noun}s`;
}

function small(text) {
  return text[0].toLowerCase() + text.slice(1);
}

let fits = true;
const unused = new Set(Object.keys(TABLES));
const FILES = [
  'HUMAN_GATES.md',
  'INTERVENTIONS.md',
  'POLICIES.md',
  'REVIEW_RULES.md',
  'internals/agent-cases.md',
];
for (const file of FILES) {
  const path = join(DOCS, file);
  const text = readFileSync(path, 'utf8');
  const written = text.replace(
    /(<!-- table: ([\w ]+) -->\n)[\s\S]*?(<!-- \/table -->)/g,
    (_, begin, name, end) => {
      unused.delete(name);
      return `${begin}\n${TABLES[name]()}\n${end}`;
    },
  );
  fits &&= written === text;
  if (!values.check) writeFileSync(path, written);
}
if (unused.size > 0) throw new Error(`No document has the table ${[...unused].join(', ')}`);
if (values.check && !fits) process.exitCode = 1;
