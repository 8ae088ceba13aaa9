/** Toolchains relative to a home folder: programs and libraries without sign-ins. */
export const TOOLCHAINS = [
  ...['.cargo/bin', '.rustup'],
  ...[
    '.nvm',
    '.volta',
    '.fnm',
    '.local/share/fnm',
    '.nodenv',
    '.npm-global',
    '.local/share/pnpm',
    '.yarn/bin',
  ],
  ...['.config/yarn/global', '.deno', '.bun'],
  ...[
    '.pyenv',
    '.virtualenvs',
    '.local/share/virtualenvs',
    '.local/share/uv',
    '.local/pipx',
    '.local/share/pipx',
  ],
  ...['miniconda3', 'miniforge3', 'mambaforge', 'anaconda3', '.rbenv', '.gem/ruby', '.local/share/gem'],
  ...['.local/bin', '.local/lib', '.asdf', '.local/share/mise', '.proto', '.sdkman', '.jenv', '.goenv'],
  ...[
    'go/bin',
    'sdk',
    '.ghcup',
    '.cabal/bin',
    '.opam',
    '.juliaup',
    '.elan',
    '.swiftly',
    'flutter',
    '.nix-profile',
  ],
  ...['.dotnet/dotnet', '.dotnet/sdk', '.dotnet/shared', '.dotnet/host', '.dotnet/packs', '.dotnet/tools'],
  ...['.dotnet/templates', '.dotnet/library-packs', '.dotnet/sdk-manifests', '.dotnet/metadata'],
];

/** Settings that the box's home folder gets, without credentials. */
export const TOOL_SETTINGS = [
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.config/pnpm/rc', '.bunfig.toml', '.tool-versions', '.asdfrc'],
  ...[
    '.config/pip/pip.conf',
    '.pip/pip.conf',
    '.config/uv/uv.toml',
    '.config/pypoetry/config.toml',
    '.condarc',
  ],
  ...['.cargo/config.toml', '.cargo/config', '.config/go/env', '.config/mise/config.toml', '.gemrc'],
  ...['.m2/settings.xml', '.m2/toolchains.xml', '.mavenrc', '.nuget/NuGet/NuGet.Config'],
  ...['.gradle/gradle.properties', '.gradle/init.gradle', '.gradle/init.gradle.kts', '.sbt/repositories'],
  ...['.config/git/ignore', '.config/git/attributes', '.editorconfig', '.gitignore_global'],
];

type HomeCache = {
  /** Variable that can move `folder`; `null`: none can. */
  readonly variable: string | null;
  /** Path relative to the home folder; `null`: only the variable names it. */
  readonly folder: string | null;
  /** Names of the folders in it that are caches; absent: all. */
  readonly names?: readonly string[];
  /** The tool can use the cache without write access. */
  readonly isReadable?: true;
};

export const HOME_CACHES: readonly HomeCache[] = [
  { variable: 'npm_config_cache', folder: '.npm' },
  { variable: 'npm_config_devdir', folder: '.cache/node-gyp' },
  { variable: 'COREPACK_HOME', folder: '.cache/node/corepack', isReadable: true },
  { variable: 'PNPM_HOME', folder: '.local/share/pnpm', names: ['store'] },
  { variable: null, folder: '.cache/pnpm' },
  { variable: 'YARN_CACHE_FOLDER', folder: '.cache/yarn' },
  { variable: 'YARN_GLOBAL_FOLDER', folder: '.yarn/berry' },
  { variable: null, folder: '.bun/install/cache' },
  { variable: 'DENO_DIR', folder: '.cache/deno' },
  { variable: 'PIP_CACHE_DIR', folder: '.cache/pip' },
  { variable: 'UV_CACHE_DIR', folder: '.cache/uv' },
  { variable: 'POETRY_CACHE_DIR', folder: '.cache/pypoetry' },
  { variable: 'PRE_COMMIT_HOME', folder: '.cache/pre-commit' },
  { variable: 'CARGO_HOME', folder: '.cargo', names: ['registry', 'git'] },
  { variable: 'GOPATH', folder: 'go', names: ['pkg'] },
  { variable: 'GOMODCACHE', folder: null },
  { variable: 'GOCACHE', folder: '.cache/go-build' },
  { variable: null, folder: '.m2', names: ['repository', 'wrapper'] },
  { variable: 'GRADLE_USER_HOME', folder: '.gradle', names: ['caches', 'wrapper', 'jdks', 'native'] },
  { variable: 'NUGET_PACKAGES', folder: '.nuget/packages' },
  { variable: 'COMPOSER_CACHE_DIR', folder: '.cache/composer' },
  { variable: 'CCACHE_DIR', folder: '.cache/ccache' },
  { variable: 'PLAYWRIGHT_BROWSERS_PATH', folder: '.cache/ms-playwright', isReadable: true },
  { variable: 'CYPRESS_CACHE_FOLDER', folder: '.cache/Cypress', isReadable: true },
  { variable: 'PUPPETEER_CACHE_DIR', folder: '.cache/puppeteer', isReadable: true },
  { variable: 'ELECTRON_CACHE', folder: '.cache/electron' },
];
