// The layer rules of docs/ARCHITECTURE.md: cli → app → loop → deciding rooms → domain → packages; app → io → domain.
const rooms = [
  'prompt',
  'proof/(?:gates|results|evidence|findings|shown)',
  'respond/(?:intervene|recover|policy|human|blocked|roles)',
  'decide/timing',
  'state',
];
/** Rooms that put the decisions of others together. */
const composing = 'decide|replay';
const room = `(${rooms.join('|')}|config)`;
const deciding = `^src/(${rooms.join('|')}|${composing}|config|tell)/`;
/** What of the packages reads and writes files, starts programs, watches them, or asks a service. */
const touching = 'kit/src/(?:files|programs)/|box/src/(?!protocol/)|task-lists/src/services/';
/** What knows nothing of ralph and is pure. Of `packages/fleet`, engine and board are installed apart, and aren't. */
const packages = `^packages/(?!fleet/(?!src/)|${touching})`;
/** Jobs and protocol of a fleet. */
const fleet = '^packages/fleet/src/';
/** What the engine of a fleet promises. */
const engine = '^packages/fleet/index\\.d\\.ts$';
/** What all but the packages below them may import; of `actions` its forms: the settings, place and record of a review. */
const known = '^packages/(?:(?:kit|ecosystems|agents|task-lists)/|actions/src/forms/)';
/** The names of agents, and where their settings lie. */
const agents = '^packages/agents/src/known\\.ts$';
/** The box as others name it: roles, settings, hosts. */
const boxProtocol = '^packages/box/src/protocol/';
/** What of kit the command line may import: what is pure, and its compiled script. */
const kitOfCli = '^packages/kit/(?:(?!src/(?:files|programs)/)|src/files/compiled-script\\.ts$)';
const ours = '^(?:src|packages)/';
/** `shell`, `effects` and `review`. */
const inActions = 'packages/actions/src/(?:shell|effects|review)';
/** The table of answers, which all may read. */
const table = '^src/respond/[^/]+\\.ts$';
const pure = `^src/(${rooms.join('|')}|${composing}|config|tell|domain)/|${table}|${packages}`;

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'a-package-knows-nothing-of-ralph',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(?:src|test|scripts)/' },
    },
    {
      name: 'a-package-is-entered-by-its-exports',
      severity: 'error',
      from: { path: '^(packages/[^/]+|src)/' },
      to: {
        path: '^packages/',
        pathNot: '^$1/',
        dependencyTypes: ['local'],
        dependencyTypesNot: ['aliased-workspace'],
      },
    },
    // Which package imports which others of ours.
    ...Object.entries({
      kit: [],
      ecosystems: ['kit'],
      agents: ['kit'],
      'task-lists': ['kit'],
      'diff-review': ['kit', 'ecosystems'],
      box: ['kit', 'ecosystems'],
      fleet: ['kit'],
    }).map(([name, others]) => ({
      name: `${name}-imports-${others.join('-and-') || 'nothing-of-ours'}`,
      severity: 'error',
      from: { path: `^packages/${name}/` },
      to: { path: '^packages/', pathNot: `^packages/(?:${[name, ...others].join('|')})/` },
    })),
    {
      name: 'forms-import-kit',
      severity: 'error',
      from: { path: '^packages/actions/src/forms/' },
      to: { path: '^packages/', pathNot: '^packages/(?:kit|actions/src/forms)/' },
    },
    {
      name: 'shell-imports-kit',
      severity: 'error',
      from: { path: '^packages/actions/src/shell/' },
      to: { path: '^packages/', pathNot: '^packages/(?:kit|actions/src/shell)/' },
    },
    {
      name: 'effects-import-kit-forms-names-of-agents-and-shell',
      severity: 'error',
      from: { path: '^packages/actions/src/effects/' },
      to: { path: '^packages/', pathNot: ['^packages/(?:kit|actions/src/(?:forms|shell|effects))/', agents] },
    },
    {
      name: 'review-imports-ecosystems-kit-names-of-agents-effects-and-shell',
      severity: 'error',
      from: { path: '^packages/actions/src/review/' },
      to: { path: '^packages/', pathNot: ['^packages/(?:kit|ecosystems|actions)/', agents] },
    },
    {
      name: 'files-and-programs-are-touched-by-the-world',
      severity: 'error',
      from: { path: `${pure}|^src/(loop|lab)/` },
      to: { path: `^packages/(?:${touching})` },
    },
    {
      name: 'domain-imports-known-packages',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: ours, pathNot: ['^src/domain/', known, boxProtocol, fleet] },
    },
    {
      name: 'a-deciding-room-imports-domain-known-packages-and-itself',
      severity: 'error',
      from: { path: `^src/${room}/` },
      to: { path: ours, pathNot: ['^src/(domain|$1)/', known, boxProtocol, table] },
    },
    {
      name: 'tell-imports-domain-known-packages-and-the-table',
      severity: 'error',
      from: { path: '^src/tell/' },
      to: { path: ours, pathNot: ['^src/(tell|domain)/', known, table] },
    },
    {
      name: 'the-table-of-answers-imports-domain-and-kit',
      severity: 'error',
      from: { path: table },
      to: { path: ours, pathNot: ['^src/domain/', '^packages/kit/'] },
    },
    // What puts the decisions of the rooms together, and what performs them.
    ...[
      ['decide-puts-the-decisions-of-the-rooms-together', 'decide', 'decide', []],
      ['replay-decides-again-and-runs-nothing', 'replay', 'replay|decide', []],
      ['the-lab-knows-the-world-by-ports', 'lab', 'lab|decide', []],
      ['the-loop-knows-the-world-by-ports', 'loop', 'loop|lab|decide', [fleet, engine]],
    ].map(([name, folder, with_, more]) => ({
      name,
      severity: 'error',
      from: { path: `^src/${folder}/`, pathNot: '^src/decide/timing/' },
      to: {
        path: ours,
        pathNot: [
          `^src/(${with_}|${rooms.join('|')}|tell|domain)/`,
          known,
          boxProtocol,
          table,
          '^packages/(?:actions|diff-review)/',
          ...more,
        ],
      },
    })),
    {
      name: 'io-imports-domain-known-packages-and-itself',
      severity: 'error',
      from: { path: '^src/(io|git|store)/', pathNot: '^src/io/(ui|notify)/' },
      to: { path: ours, pathNot: ['^src/(io|git|store|domain)/', known, '^packages/box/', fleet] },
    },
    {
      name: 'what-of-io-reaches-you-imports-tell-too',
      severity: 'error',
      from: { path: '^src/io/(ui|notify)/' },
      to: { path: ours, pathNot: ['^src/(io|tell|domain)/', known, '^packages/box/'] },
    },
    {
      name: 'app-does-not-know-cli',
      severity: 'error',
      from: { path: '^src/app/' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'an-evaluation-uses-commands',
      severity: 'error',
      from: { path: '^src/app/eval/' },
      to: { path: '^src/(loop|lab)/' },
    },
    {
      name: 'cli-knows-app-tell-io-ui-domain-and-names-of-agents',
      severity: 'error',
      from: { path: '^src/cli/' },
      to: {
        path: ours,
        pathNot: ['^src/(cli|app|tell|domain|io/ui)/', '^packages/actions/src/forms/', kitOfCli, agents],
      },
    },
    // What every start reads: commands, and the schemas behind them, are loaded by the command that needs them.
    {
      name: 'the-command-line-starts-light',
      severity: 'error',
      from: { path: '^src/cli/(registry|program|listed|command-line-end|main|start)' },
      to: {
        path: ours,
        pathNot: [
          kitOfCli,
          '^src/(app/(version|setup/(chat-secrets|fleet-address))|domain/verification|cli/(registry|program|listed|command-line-end|main|call|print|stopped|until-of|no-debugger))',
        ],
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      // Else the help of one command, and what the shell completes, would load all that the commands do.
      name: 'a-command-loads-what-it-does-once-it-is-called',
      severity: 'error',
      from: { path: '^src/cli/commands/' },
      to: { path: '^src/app/(commands|eval)/', dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    {
      name: 'pure-rooms-have-no-node-built-ins',
      severity: 'error',
      from: { path: pure },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'pure-rooms-use-the-allow-list-of-packages',
      severity: 'error',
      from: { path: pure },
      to: {
        dependencyTypes: ['npm', 'npm-dev', 'npm-no-pkg', 'unknown'],
        pathNot:
          'node_modules/(zod|yaml|@humanwhocodes/momoa|picomatch|smol-toml|toml-eslint-parser|unbash|boxen|string-width|strip-ansi|wrap-ansi)/',
      },
    },
    {
      name: 'toml-lives-in-config',
      severity: 'error',
      from: { pathNot: '^(?:src/config|packages/box/src/settings)/' },
      to: { path: 'node_modules/(smol-toml|toml-eslint-parser)/' },
    },
    {
      name: 'unbash-lives-in-shell',
      severity: 'error',
      from: { pathNot: '^packages/actions/src/shell/' },
      to: { path: 'node_modules/unbash/' },
    },
    ...[
      ['string-width|wrap-ansi', 'packages/kit/src/columns\\.ts$'],
      ['strip-ansi', 'packages/kit/src/text\\.ts$'],
      ['ora', 'src/io/ui/live/live-line\\.ts$'],
      ['boxen', 'src/tell/gate-panel\\.ts$'],
      ['@clack/prompts', 'src/cli/ask\\.ts$'],
      ['ink|react', 'src/cli/screen/ink\\.ts$'],
      ['@modelcontextprotocol/sdk', 'src/cli/commands/mcp\\.ts$'],
    ].map(([names, file]) => ({
      name: `one-place-for-${names.replace('@', '').replace(/\W+/g, '-')}`,
      severity: 'error',
      from: { pathNot: `^${file}` },
      to: { path: `node_modules/(${names})/` },
    })),
    {
      name: 'pages-are-made-in-one-place',
      severity: 'error',
      from: { pathNot: '^src/cli/(render/)?page/' },
      to: { path: 'node_modules/(preact|preact-render-to-string|d3-scale|d3-shape)/' },
    },
    {
      name: 'commander-lives-in-cli',
      severity: 'error',
      from: { pathNot: '^src/cli/' },
      to: { path: 'node_modules/commander/' },
    },
    {
      name: 'a-room-is-entered-through-its-index',
      severity: 'error',
      from: { path: `^(src/(?:${rooms.join('|')}|[a-z]+)|${inActions})/` },
      to: { path: `${deciding}|^${inActions}/`, pathNot: ['/index\\.ts$', '^$1/'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.test\\.ts$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};
