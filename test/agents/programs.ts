import { CHATGPT_LIMIT, type Maker } from './model/provider-answers.ts';
import type { Failure } from './model/scenario.ts';
import {
  clineSettings,
  codexSettings,
  continueSettings,
  droidSettings,
  geminiSettings,
  opencodeSettings,
  piModels,
  qwenSettings,
} from './program-settings.ts';

/** Where a program finds its model, and the empty home folder that it runs in. */
type Place = { readonly url: string; readonly home: string };

/** A real agent: what is installed, and how it is pointed at a model on the loopback interface. */
export type Program = {
  readonly name: string;
  readonly package: string;
  /** Exact: npm takes an older release in silence when the newest asks for another Node. */
  readonly version: string;
  /** What its installation would run, relative to the package; it works without a network. */
  readonly postinstall: string | null;
  /** Where its program lies in the package, if npm makes no link to it. */
  readonly programIn?: string;
  /** It isn't a built-in agent: its entry is that of docs/AGENTS.md, and it has few other tests. */
  readonly isOwn?: true;
  /** It starts with `#!/usr/bin/env node` and needs at least this version of Node. */
  readonly node: number | null;
  readonly env: (place: Place) => Readonly<Record<string, string>>;
  /** Files below the home folder, as its user would have them. */
  readonly files: (place: Place) => Readonly<Record<string, string>>;
  readonly maker: Maker;
  /** A usage limit of its own maker's plan, where that has another form than the interface's. */
  readonly planLimit?: Failure;
  /** Settings with which it gives a service up sooner than it would; people don't have them. */
  readonly hurried?: Partial<Pick<Program, 'env' | 'files'>>;
  /** Without its key: variables that go, and files in place of its own. */
  readonly keyless: { readonly without: readonly string[]; readonly files?: Program['files'] };
  /** The model that it is asked for when `[runners.NAME] model` says nothing. */
  readonly defaultModel: string;
  /** What the model is called in `[runners.NAME] model`, and in the request that follows. */
  readonly otherModel: { readonly asked: string; readonly sent: string };
  /** Harmless arguments, and how the request shows that they arrived. */
  readonly extraArgs: { readonly args: readonly string[]; readonly shows: (body: string) => boolean };
  /** Characters of the longest prompt that it takes at all; `null`: it takes 5 MB. */
  readonly longestPrompt: number | null;
  /** Seconds after which it has given up a service that does not answer as it should. */
  readonly givesUpAfter: number;
  /** A folder name with most that is a trouble in folder names. */
  readonly oddFolder: string;
  /** Settings in the repository by which it can be told to run no hooks; `null`: it has no such settings. */
  readonly switchOff: { readonly path: string; readonly content: string } | null;
  /** A file of its own settings folder in the repository. */
  readonly settingsFile: string;
};

const KEY = 'sk-test-of-nobody';

/** What most of them have in common. */
const USUAL = {
  maker: 'openai' as Maker,
  longestPrompt: null,
  givesUpAfter: 25,
  oddFolder: `große "Wörter" und 'Zeichen'`,
};

/** What the programs have in common that ralph doesn't know. */
const OWN = {
  defaultModel: 'loopback-model',
  otherModel: { asked: 'other-model', sent: 'other-model' },
  extraArgs: { args: [], shows: () => true },
  switchOff: null,
};

export const PROGRAMS: readonly Program[] = [
  {
    ...USUAL,
    name: 'claude',
    package: '@anthropic-ai/claude-code',
    version: '2.1.332',
    postinstall: 'install.cjs',
    node: null,
    env: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: KEY,
      ANTHROPIC_MODEL: 'claude-sonnet-4-5',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
      // It does not work without asking as root, unless it is told that this is a sandbox.
      ...(process.getuid?.() === 0 ? { IS_SANDBOX: '1' } : {}),
    }),
    files: () => ({}),
    maker: 'anthropic',
    hurried: { env: () => ({ CLAUDE_CODE_MAX_RETRIES: '1' }) },
    keyless: { without: ['ANTHROPIC_API_KEY'] },
    defaultModel: 'claude-sonnet-4-5',
    otherModel: { asked: 'claude-haiku-4-5', sent: 'claude-haiku-4-5' },
    extraArgs: {
      args: ['--append-system-prompt', 'WORD-FROM-EXTRA-ARGS'],
      shows: (body) => body.includes('WORD-FROM-EXTRA-ARGS'),
    },
    switchOff: { path: '.claude/settings.json', content: '{"disableAllHooks":true}' },
    settingsFile: '.claude/settings.local.json',
  },
  {
    ...USUAL,
    name: 'codex',
    // "Input exceeds the maximum length of 1048576 characters."
    longestPrompt: 1_000_000,
    package: '@openai/codex',
    version: '0.171.0',
    postinstall: null,
    node: 16,
    env: ({ home }) => ({ LOOPBACK_KEY: KEY, CODEX_HOME: `${home}/.codex` }),
    files: ({ url }) => ({ '.codex/config.toml': codexSettings(url) }),
    hurried: {
      files: ({ url }) => ({
        '.codex/config.toml': `${codexSettings(url)}request_max_retries = 1
stream_max_retries = 1
`,
      }),
    },
    keyless: { without: ['LOOPBACK_KEY'] },
    planLimit: CHATGPT_LIMIT,
    defaultModel: 'gpt-5.5',
    otherModel: { asked: 'gpt-5.4', sent: 'gpt-5.4' },
    extraArgs: {
      args: ['-c', 'developer_instructions="WORD-FROM-EXTRA-ARGS"'],
      shows: (body) => body.includes('WORD-FROM-EXTRA-ARGS'),
    },
    switchOff: { path: '.codex/config.toml', content: '[features]\nhooks = false\n' },
    settingsFile: '.codex/rules/mine.rules',
  },
  {
    ...USUAL,
    name: 'copilot',
    // It tries for longer, and says so.
    givesUpAfter: 15,
    package: '@github/copilot',
    version: '1.0.102',
    postinstall: null,
    node: 20,
    env: ({ url, home }) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_HOME: `${home}/.copilot`,
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: 'loopback-model',
      COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '10000000',
    }),
    files: () => ({}),
    // A provider of one's own may have no key: without one at all it wants a sign-in at its maker's.
    keyless: { without: ['COPILOT_PROVIDER_BASE_URL', 'COPILOT_PROVIDER_API_KEY', 'COPILOT_OFFLINE'] },
    defaultModel: 'loopback-model',
    otherModel: { asked: 'other-model', sent: 'other-model' },
    extraArgs: { args: ['--available-tools', 'bash'], shows: (body) => !body.includes('"name":"create"') },
    switchOff: { path: '.github/copilot/settings.json', content: '{"disableAllHooks":true}' },
    settingsFile: '.github/copilot/settings.local.json',
  },
  {
    ...USUAL,
    name: 'gemini',
    // It counts a quarter of a token for each character and ends in silence above 1,048,576.
    longestPrompt: 3_800_000,
    // Its tool for files takes no path with double quotes.
    oddFolder: `große 'Wörter' und Zeichen`,
    package: '@google/gemini-cli',
    version: '0.61.0',
    postinstall: null,
    node: 20,
    env: ({ url }) => ({
      GEMINI_API_KEY: KEY,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_MODEL: 'gemini-2.5-pro',
      GEMINI_TELEMETRY_ENABLED: 'false',
    }),
    files: () => ({ '.gemini/settings.json': geminiSettings() }),
    maker: 'google',
    hurried: { files: () => ({ '.gemini/settings.json': geminiSettings({ maxAttempts: 2 }) }) },
    keyless: { without: ['GEMINI_API_KEY'] },
    defaultModel: 'gemini-2.5-pro',
    otherModel: { asked: 'gemini-2.5-flash', sent: 'gemini-2.5-flash' },
    extraArgs: {
      args: ['--include-directories', '/usr/share'],
      shows: (body) => body.includes('/usr/share'),
    },
    switchOff: { path: '.gemini/settings.json', content: '{"hooksConfig":{"enabled":false}}' },
    settingsFile: '.gemini/commands/mine.toml',
  },
  {
    ...USUAL,
    name: 'opencode',
    // Five more tries, which cannot be set.
    givesUpAfter: 100,
    package: 'opencode-ai',
    version: '1.18.33',
    postinstall: 'postinstall.mjs',
    node: null,
    env: ({ home }) => ({
      OPENCODE_CONFIG: `${home}/opencode.json`,
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      npm_config_offline: 'true',
    }),
    files: ({ url }) => ({ 'opencode.json': opencodeSettings(url, KEY) }),
    keyless: {
      without: [],
      files: ({ url }) => ({ 'opencode.json': opencodeSettings(url, '{env:LOOPBACK_KEY}') }),
    },
    defaultModel: 'loopback-model',
    otherModel: { asked: 'loopback/other-model', sent: 'other-model' },
    extraArgs: { args: ['--agent', 'plan'], shows: (body) => /plan mode/i.test(body) },
    switchOff: { path: 'opencode.json', content: '{"plugin":[]}' },
    settingsFile: '.opencode/mine.json',
  },
  {
    ...USUAL,
    name: 'pi',
    package: '@earendil-works/pi-coding-agent',
    version: '1.6.0',
    postinstall: null,
    node: 22,
    env: () => ({ PI_OFFLINE: '1', PI_TELEMETRY: '0' }),
    files: ({ url }) => ({ '.pi/agent/models.json': piModels(url, KEY) }),
    keyless: {
      without: [],
      files: ({ url }) => ({ '.pi/agent/models.json': piModels(url, '$LOOPBACK_KEY') }),
    },
    defaultModel: 'loopback-model',
    otherModel: { asked: 'loopback/other-model', sent: 'other-model' },
    extraArgs: {
      args: ['--append-system-prompt', 'WORD-FROM-EXTRA-ARGS'],
      shows: (body) => body.includes('WORD-FROM-EXTRA-ARGS'),
    },
    switchOff: null,
    settingsFile: '.pi/mine.json',
  },
  {
    ...USUAL,
    name: 'qwen',
    // It reckons with 177,000 tokens, whatever the model.
    longestPrompt: 500_000,
    givesUpAfter: 140,
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    postinstall: null,
    node: 22,
    env: ({ url }) => ({
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_MODEL: 'loopback-model',
      QWEN_CODE_DISABLE_AUTO_UPDATE: '1',
    }),
    files: () => ({ '.qwen/settings.json': qwenSettings() }),
    hurried: { files: () => ({ '.qwen/settings.json': qwenSettings({ maxAttempts: 2 }) }) },
    keyless: { without: ['OPENAI_API_KEY'] },
    defaultModel: 'loopback-model',
    otherModel: { asked: 'other-model', sent: 'other-model' },
    extraArgs: {
      args: ['--append-system-prompt', 'WORD-FROM-EXTRA-ARGS'],
      shows: (body) => body.includes('WORD-FROM-EXTRA-ARGS'),
    },
    switchOff: { path: '.qwen/settings.json', content: '{"disableAllHooks":true}' },
    settingsFile: '.qwen/mine.json',
  },
  {
    ...USUAL,
    name: 'droid',
    // Four more tries, which cannot be set.
    givesUpAfter: 110,
    // What `@factory/cli` and `droid` install on such a machine.
    package: '@factory/cli-linux-x64',
    version: '0.225.2',
    postinstall: null,
    programIn: 'bin',
    node: null,
    env: () => ({ FACTORY_AIRGAP_ENABLED: 'true' }),
    files: ({ url }) => ({ '.factory/settings.json': droidSettings(url, KEY) }),
    keyless: {
      without: ['FACTORY_AIRGAP_ENABLED'],
      files: () => ({ '.factory/settings.json': '{}' }),
    },
    defaultModel: 'loopback-model',
    otherModel: { asked: 'custom:other-model', sent: 'other-model' },
    extraArgs: {
      args: ['--append-system-prompt', 'WORD-FROM-EXTRA-ARGS'],
      shows: (body) => body.includes('WORD-FROM-EXTRA-ARGS'),
    },
    switchOff: { path: '.factory/settings.json', content: '{"hooks":{"hooksDisabled":true}}' },
    settingsFile: '.factory/mine.json',
  },
  {
    ...USUAL,
    name: 'goose',
    isOwn: true,
    package: '@aaif/goose-binary-linux-x64',
    version: '1.52.0',
    postinstall: null,
    programIn: 'bin',
    node: null,
    env: ({ url }) => ({
      ...{ GOOSE_PROVIDER: 'openai', GOOSE_MODEL: 'loopback-model', GOOSE_DISABLE_KEYRING: '1' },
      ...{ OPENAI_HOST: url, OPENAI_BASE_PATH: 'v1/chat/completions', OPENAI_API_KEY: KEY },
    }),
    files: () => ({}),
    keyless: { without: ['OPENAI_API_KEY'] },
    ...OWN,
    settingsFile: '.goosehints',
  },
  {
    ...USUAL,
    name: 'cn',
    isOwn: true,
    package: '@continuedev/cli',
    version: '1.5.47',
    postinstall: null,
    node: 20,
    env: () => ({ CONTINUE_TELEMETRY_ENABLED: '0' }),
    files: ({ url }) => ({ '.continue/config.yaml': continueSettings(url, KEY) }),
    keyless: {
      without: [],
      files: ({ url }) => ({
        '.continue/config.yaml': continueSettings(url, '${' + '{ secrets.LOOPBACK_KEY }' + '}'),
      }),
    },
    ...OWN,
    settingsFile: '.continue/mine.yaml',
  },
  {
    ...USUAL,
    name: 'cline',
    isOwn: true,
    package: 'cline',
    version: '3.0.65',
    postinstall: null,
    node: 22,
    env: () => ({}),
    files: ({ url }) => ({ '.cline/data/settings/providers.json': clineSettings(url, KEY) }),
    keyless: {
      without: [],
      files: ({ url }) => ({ '.cline/data/settings/providers.json': clineSettings(url, null) }),
    },
    ...OWN,
    settingsFile: '.clinerules/mine.md',
  },
];

/** The Node for programs that need a newer one than runs the tests. */
export const NEWER_NODE = { version: '22.23.3', folder: 'node22' };
