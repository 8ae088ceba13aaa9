import { focuses, groups, skips } from '../idiom.ts';
import type { Language } from '../protocol.ts';
import { many, one, SLASHES } from './syntax.ts';

/** Yarn 2 and newer have other options, and mark their lock files with `__metadata`. */
const isNewerYarn = (text: string) => /^__metadata:/m.test(text);
const NPM = {
  manifest: 'package.json',
  install: () => 'npm ci',
  rewriteCommand: () => 'npm install --package-lock-only --ignore-scripts --no-audit --no-fund',
};

export const language: Language = {
  files: {
    tests: /[._-]cy\.\w+$|(?:^|\/)tests?\.[jt]s$|(?:^|\/)__tests__\/.*\.[jt]sx?$/,
    support:
      /(?:^|\/)(?:jest|vitest|test|mocha|jasmine|playwright)[.-](?:global-?)?setup[\w.-]*\.\w+$|(?:^|\/)(?:set-?up|jest\.setup)-?[tT]ests?\.\w+$/,
    settings:
      /(?:^|\/)(?:package|deno|project|nx|turbo|biome|jsconfig|\.mocharc|\.nycrc|\.c8rc|\.stylelintrc|\.jshintrc)\.(?:jsonc?|ya?ml|properties)$|(?:^|\/)tsconfig[\w.-]*\.json$|(?:^|\/)\.(?:eslintrc|prettierrc|stylelintrc|mocharc|nycrc|c8rc|taprc|babelrc|oxlintrc|jshintrc|swcrc)(?:\.\w+)?$|(?:^|\/)\.(?:eslint|prettier|stylelint|nyc)ignore$|(?:^|\/)(?:jest|vitest|vite|karma|playwright|cypress|wdio|ava|nyc|c8|eslint|stylelint|babel|webpack|rollup|stryker|knip|commitlint)\.(?:config|conf|workspace)(?:\.[\w-]+)*\.\w+$|(?:^|\/)(?:\.npmrc|\.pnpmrc|bunfig\.toml)$/,
    recipes: /(?:^|\/)(?:\.husky\/|\.lintstagedrc[\w.]*$|lint-staged\.config\.\w+$)/,
  },
  packages: {
    manifests: /^(?:package\.json|pnpm-workspace\.yaml|deno\.jsonc?)$/,
    locks: [
      { ...NPM, file: 'package-lock.json' },
      { ...NPM, file: 'npm-shrinkwrap.json' },
      {
        file: 'pnpm-lock.yaml',
        manifest: 'package.json',
        install: () => 'pnpm install --frozen-lockfile',
        rewriteCommand: () => 'pnpm install --lockfile-only --no-frozen-lockfile --ignore-scripts',
      },
      {
        file: 'yarn.lock',
        manifest: 'package.json',
        install: (text) =>
          isNewerYarn(text) ? 'yarn install --immutable' : 'yarn install --frozen-lockfile',
        rewriteCommand: (text) =>
          isNewerYarn(text)
            ? 'YARN_ENABLE_IMMUTABLE_INSTALLS=false yarn install --mode=update-lockfile'
            : 'yarn install --ignore-scripts --non-interactive',
      },
      {
        file: 'bun.lock',
        manifest: 'package.json',
        install: () => 'bun install --frozen-lockfile',
        rewriteCommand: () => 'bun install --lockfile-only --ignore-scripts',
      },
      { file: 'bun.lockb' },
      { file: 'deno.lock' },
    ],
    hosts: [
      [['package.json'], ['registry.npmjs.org']],
      [['yarn.lock'], ['registry.yarnpkg.com']],
    ],
  },
  outputs: {
    folders: [
      'node_modules',
      'bower_components',
      'jspm_packages',
      '.pnpm-store',
      '.npm',
      '.nyc_output',
      '.next',
      '.nuxt',
      '.svelte-kit',
      '.angular',
      '.parcel-cache',
      '.turbo',
      '.vite',
      '.docusaurus',
    ],
    files: [
      String.raw`\.eslintcache`,
      String.raw`.*\.tsbuildinfo`,
      String.raw`(?:npm-debug|yarn-error)\.log.*`,
    ],
  },
  caches: ['node_modules/.vite', 'node_modules/.cache', '.next/cache', '.turbo', '.parcel-cache'],
  checkers: [
    'jest vitest mocha ava karma',
    'cypress playwright',
    'eslint biome oxlint',
    'prettier biome',
    'c8 nyc',
    'tsc',
    'stylelint',
    'knip',
    'commitlint',
    'stryker',
  ],
  programs: 'npm npx pnpm yarn bun bunx deno node ts tsx corepack turbo nx',
  variables: [
    'VITEST',
    'VITEST_WORKER_ID',
    'VITEST_POOL_ID',
    'JEST_WORKER_ID',
    'JASMINE_\\w+',
    'MOCHA_\\w*',
    'NODE_TEST_CONTEXT',
    'PLAYWRIGHT_TEST\\w*',
    'CYPRESS',
    'AVA_PATH',
    'TAP_\\w+',
  ],
  asksForTests: [
    /\b(?:typeof|globalThis\.|global\.|window\.)\s*(?:it|describe|jest|vi|expect|jasmine|__karma__|Cypress|beforeEach|mocha|__coverage__|__vitest\w*)\b/g,
    /["'](?:__vitest\w*|__jest\w*|__karma__|__coverage__|jasmine|describe|it|jest|vi|expect|beforeEach|Cypress|mocha)["']\s+in\s+(?:globalThis|global|window|self)\b|\b(?:globalThis|global|window)\[["'](?:__vitest\w*|jest|vi|describe|expect|jasmine|beforeEach|Cypress|mocha)["']\]/g,
    /\bimport\.meta\.(?:vitest|env\.(?:VITEST|TEST|MODE\s*={2,3}\s*["']test["']))/g,
    /\bprocess\.argv\b[^\n]*(?:jest|vitest|mocha|\btest\b|--test)|\bprocess\.(?:execArgv|title)\b[^\n]*(?:test|jest|vitest|mocha)|\brequire\.main\b[^\n]*(?:test|jest|mocha)/g,
  ],
  rewritesSnapshots:
    /\b(?:vitest|jest|ava|playwright test)\b[^&|;"]*\s(?:-u|--update(?:-?[sS]napshots?)?)(?![\w-])/,
  uncovered: {
    comment: /\b(?:istanbul|c8|v8|vitest|node:coverage)\s+(?:ignore|disable)|\bStryker\s+disable/gi,
  },
  code: {
    js: {
      endings: 'js jsx mjs cjs ts tsx mts cts vue svelte astro',
      ...SLASHES,
      strings: [many('`'), one('"'), one("'")],
      regexes: true,
      headers: [
        /(?:(?<![.\w$])|(?<=(?<![.\w$])(?:s?tt?|ctx|context|tap)\.))[xf]?(?:it|test|specify)\b(?:\s*\.\s*(?!describe|step|before|after|use|extend|mock)\w+(?:\([^()]*\))?)*\s*\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`)/g,
        /(?<![.\w$])[xf]?(?:it|test|specify)\b(?:\s*\.\s*\w+)*\.(?:each|for)\b[\s\S]{0,2000}?\)\s*\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`)/g,
      ],
      idioms: [
        ...skips(
          /(?<![.\w$])(?:it|test|describe|specify|context|suite|fixture)(?:\s*\.\s*\w+(?:\([^()]*\))?)*\s*\.\s*(?:skip|todo|fails|failing|fixme|skipIf|runIf|todoIf|pend)\b(?:\s*\([^()]*\))?/g,
          /(?<![.\w$])x(?:it|test|describe|context|specify|scenario)\s*[.(]/g,
          /(?<![.\w$])(?:pending|skip|markAsPending|xskip)\s*\(\s*(?!\d)/g,
          /\b(?:this|t|ctx|context|self|testInfo|test|tc)\s*\.\s*(?:skip|todo|fixme|pending)\s*\(|\b(?:test|testInfo)\s*\.\s*fail\s*\(/g,
          /\.(?:each|for)\s*\(\s*\[\s*\]\s*\)|(?<![\w.])(?:false|0)\s*&&\s*(?:it|test|describe)\b/g,
          /\b(?:skip|todo|fails|fixme)\s*:\s*(?!(?:false|undefined|null|boolean|string|number|unknown)\b)[\w'"`!]/g,
          /(?<![.\w$])Deno\.test\.ignore\b|(?<![.\w$])QUnit\.(?:skip|todo)\b/g,
          /(?<=(?<![.\w$])Deno\.test\s*\(\s*\{[^{}]{0,500})\bignore\s*:\s*(?!false\b)[\w!]/g,
          /(?<![.\w$])(?:it|test|describe)\s*\.\s*if\s*\(\s*(?:false|0)\s*\)/g,
        ),
        ...focuses(
          /(?<![.\w$])(?:Deno\.test|QUnit\.(?:test|module))\s*\.\s*only\b|(?<![.\w$])QUnit\.only\b/g,
          /(?<![.\w$])(?:(?:it|test|describe)\s*\.\s*)?solo\s*\(\s*["'`]/g,
          /(?<![.\w$])(?:it|test|describe|specify|context|suite|fixture)(?:\s*\.\s*\w+(?:\([^()]*\))?)*\s*\.\s*only\b/g,
          /(?<![.\w$])(?:fit|fdescribe|ftest|fcontext|iit|ddescribe)\s*(?:\(\s*["'`]|\.\s*each\b)/g,
          /\bonly\s*:\s*true\b/g,
        ),
        ...groups(/\btags?\s*:\s*\[?\s*["']@?NAME/),
      ],
      rewritesOutcome:
        /\b(?:globalThis|global|window)\.(?:expect|it|test|describe|assert)\s*=|\b(?:globalThis|global)\[["'](?:expect|it|test)["']\]\s*=|\bexpect\.extend\s*\(\s*\{\s*(?:toBe|toEqual|toStrictEqual|toThrow)\b|\bprocess\.exit\s*\(\s*0?\s*\)|\bprocess\.exitCode\s*=\s*0|\bprocess\.reallyExit|\bassert\.\w+\s*=\s*|\bObject\.assign\s*\(\s*(?:assert|expect)\b|\bMocha\.\w+(?:\.\w+)*\s*=|\b(?:Test|Runnable|Runner)\.prototype\.\w+\s*=|\bjasmine\.\w+\.prototype|\bObject\.is\s*=|\btask\.result\.state\s*=|\bresult\.(?:success|numFailedTests|status|state)\s*=\s*|\bnumFailedTests\s*=\s*0|\bthis\.currentTest\.(?:state|err)\s*=|\bprocess\.on\s*\(\s*["'](?:exit|uncaughtException|unhandledRejection)["']\s*,(?:[\s\S]{0,80}?(?:\bexitCode\s*=\s*0|\bexit\s*\(\s*0?\s*\))|[^\n]{0,30}\{\s*\})/g,
      endsWell:
        /\bprocess\.(?:on|once|(?:prepend|add)\w*Listener)\s*\(\s*["'](?:exit|beforeExit|uncaughtException|unhandledRejection)["'][^;]{0,120}?(?:\bexitCode\s*=\s*0|\b(?:exit|reallyExit)\s*\(\s*0?\s*\))/g,
    },
  },
};
