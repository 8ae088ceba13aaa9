// The layer rules of docs/ARCHITECTURE.md: cli → app → loop → deciding rooms → domain → lib; app → io → domain.
const rooms = [
  'tasks',
  'prompt',
  'agent',
  'actions/(?:shell|effects|review)',
  'proof/(?:gates|results|evidence|findings|avoidance|shown)',
  'respond/(?:intervene|recover|policy|human|blocked|roles)',
  'decide/timing',
  'state',
];
/** Rooms that put the decisions of others together. */
const composing = 'decide|replay';
const room = `(${rooms.join('|')}|config)`;
const deciding = `^src/(${rooms.join('|')}|${composing}|config|tell|ecosystems)/`;
/** The table of answers, which all may read. */
const table = '^src/respond/[^/]+\\.ts$';
const pure = `^src/(${rooms.join('|')}|${composing}|config|tell|domain|ecosystems|lib)/|${table}`;

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'lib-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^src/lib/' },
      to: { path: '^src/', pathNot: '^src/lib/' },
    },
    {
      name: 'ecosystems-import-lib-alone',
      severity: 'error',
      from: { path: '^src/ecosystems/' },
      to: { path: '^src/', pathNot: '^src/(ecosystems|lib)/' },
    },
    {
      name: 'domain-imports-lib-alone',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { path: '^src/', pathNot: '^src/(domain|ecosystems|lib)/' },
    },
    {
      name: 'a-deciding-room-imports-domain-lib-and-itself',
      severity: 'error',
      from: {
        path: `^src/${room}/`,
        pathNot: '^src/(actions|proof/avoidance)/',
      },
      to: { path: '^src/', pathNot: ['^src/(domain|ecosystems|lib|$1)/', table] },
    },
    {
      name: 'tell-imports-domain-ecosystems-lib-and-the-table',
      severity: 'error',
      from: { path: '^src/tell/' },
      to: { path: '^src/', pathNot: ['^src/(tell|domain|ecosystems|lib)/', table] },
    },
    {
      name: 'the-table-of-answers-imports-domain-and-lib',
      severity: 'error',
      from: { path: table },
      to: { path: '^src/', pathNot: '^src/(domain|lib)/' },
    },
    {
      name: 'decide-puts-the-decisions-of-the-rooms-together',
      severity: 'error',
      from: { path: '^src/decide/', pathNot: '^src/decide/timing/' },
      to: { path: '^src/(cli|app|loop|io|config|evaluate|replay)/' },
    },
    {
      name: 'replay-decides-again-and-runs-nothing',
      severity: 'error',
      from: { path: '^src/replay/' },
      to: { path: '^src/(cli|app|loop|io|config|evaluate)/' },
    },
    // The two analysers are sealed: they could be packages of their own.
    {
      name: 'shell-imports-lib',
      severity: 'error',
      from: { path: '^src/actions/shell/' },
      to: { path: '^src/', pathNot: '^src/(lib|actions/shell)/' },
    },
    {
      name: 'effects-import-lib-and-shell',
      severity: 'error',
      from: { path: '^src/actions/effects/' },
      to: { path: '^src/', pathNot: '^src/(lib|actions/shell|actions/effects)/' },
    },
    {
      name: 'review-imports-ecosystems-lib-effects-and-shell',
      severity: 'error',
      from: { path: '^src/actions/review/' },
      to: { path: '^src/', pathNot: '^src/(lib|ecosystems|actions)/' },
    },
    {
      name: 'avoidance-imports-lib-and-ecosystems',
      severity: 'error',
      from: { path: '^src/proof/avoidance/' },
      to: { path: '^src/', pathNot: '^src/(lib|ecosystems|proof/avoidance)/' },
    },
    {
      name: 'io-imports-domain-ecosystems-lib-and-itself',
      severity: 'error',
      from: { path: '^src/io/', pathNot: '^src/io/(ui|notify)/' },
      to: { path: '^src/', pathNot: '^src/(io|domain|ecosystems|lib)/' },
    },
    {
      name: 'what-of-io-reaches-you-imports-tell-too',
      severity: 'error',
      from: { path: '^src/io/(ui|notify)/' },
      to: { path: '^src/', pathNot: '^src/(io|tell|domain|ecosystems|lib)/' },
    },
    {
      name: 'the-loop-does-not-know-io',
      severity: 'error',
      from: { path: '^src/loop/' },
      to: { path: '^src/(io|app|cli|config|evaluate)/' },
    },
    {
      name: 'app-does-not-know-cli',
      severity: 'error',
      from: { path: '^src/app/' },
      to: { path: '^src/(cli|evaluate)/' },
    },
    {
      name: 'evaluate-does-not-know-cli',
      severity: 'error',
      from: { path: '^src/evaluate/' },
      to: { path: '^src/(cli|loop)/' },
    },
    {
      name: 'cli-knows-app-evaluate-tell-io-ui-and-domain',
      severity: 'error',
      from: { path: '^src/cli/' },
      to: {
        path: '^src/',
        pathNot: '^src/((cli|app|evaluate|tell|domain|lib|io/ui)/|io/files/compiled-script.ts$)',
      },
    },
    // What every start reads: commands, and the schemas behind them, are loaded by the command that needs them.
    {
      name: 'the-command-line-starts-light',
      severity: 'error',
      from: { path: '^src/cli/(registry|program|listed|command-line-end|main|start)' },
      to: {
        path: '^src/',
        pathNot:
          '^src/(lib/|app/(version|setup/(chat-secrets|fleet-address))|domain/verification|cli/(registry|program|listed|command-line-end|main|call|print|stopped|until-of|no-debugger)|io/files/compiled-script)',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
    },
    {
      // Else the help of one command, and what the shell completes, would load all that the commands do.
      name: 'a-command-loads-what-it-does-once-it-is-called',
      severity: 'error',
      from: { path: '^src/cli/commands/' },
      to: { path: '^src/(app/commands|evaluate)/', dependencyTypesNot: ['type-only', 'dynamic-import'] },
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
      from: { pathNot: '^src/(config|io/box/settings)/' },
      to: { path: 'node_modules/(smol-toml|toml-eslint-parser)/' },
    },
    {
      name: 'unbash-lives-in-shell',
      severity: 'error',
      from: { pathNot: '^src/actions/shell/' },
      to: { path: 'node_modules/unbash/' },
    },
    ...[
      ['string-width|wrap-ansi', 'lib/columns\\.ts$'],
      ['strip-ansi', 'lib/text\\.ts$'],
      ['ora', 'io/ui/live/live-line\\.ts$'],
      ['boxen', 'tell/gate-panel\\.ts$'],
      ['@clack/prompts', 'cli/ask\\.ts$'],
      ['ink|react', 'cli/screen/ink\\.ts$'],
      ['@modelcontextprotocol/sdk', 'cli/commands/mcp\\.ts$'],
    ].map(([packages, file]) => ({
      name: `one-place-for-${packages.replace('@', '').replace(/\W+/g, '-')}`,
      severity: 'error',
      from: { pathNot: `^src/${file}` },
      to: { path: `node_modules/(${packages})/` },
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
      from: { path: `^src/(${rooms.join('|')}|[a-z]+)/` },
      to: { path: deciding, pathNot: ['/index\\.ts$', '^src/$1/'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};
