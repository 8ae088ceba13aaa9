import { isAbsolute } from 'node:path';
import type { Inherits } from 'ralph-kit/agent-home';
import type { Environment } from 'ralph-kit/programs/start/resolve-executable';
import { isSecretName } from 'ralph-kit/secrets/names';
import { CACHE_VARIABLES, XDG } from './caches.ts';

/** Variables that name certificates; the files they name are visible in a box. */
const CERTIFICATES = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'GIT_SSL_CAPATH',
  'PIP_CERT',
  'AWS_CA_BUNDLE',
  'NIX_SSL_CERT_FILE',
  'CARGO_HTTP_CAINFO',
];
/** Variables that name toolchains; the folders they name are visible in a box. */
const TOOL_FOLDERS = [
  'JAVA_HOME',
  'JDK_HOME',
  'M2_HOME',
  'MAVEN_HOME',
  'GRADLE_HOME',
  'GOROOT',
  'RUSTUP_HOME',
  'PYENV_ROOT',
  'VIRTUAL_ENV',
  'CONDA_PREFIX',
  'RBENV_ROOT',
  'GEM_HOME',
  'NODENV_ROOT',
  'NVM_DIR',
  'FNM_DIR',
  'VOLTA_HOME',
  'SDKMAN_DIR',
  'ASDF_DIR',
  'ASDF_DATA_DIR',
  'MISE_DATA_DIR',
  'DOTNET_ROOT',
  'ANDROID_HOME',
  'ANDROID_SDK_ROOT',
  'ANDROID_NDK_HOME',
  'FLUTTER_ROOT',
  'DENO_INSTALL',
];
/** Variables about building and display that aren't secrets. */
const ORDINARY = [
  ...[
    'PATH',
    'HOME',
    'USER',
    'LOGNAME',
    'SHELL',
    'PWD',
    'HOSTNAME',
    'LANG',
    'LANGUAGE',
    'LC_*',
    'TZ',
    'TMPDIR',
  ],
  ...['TERM', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR', 'CLICOLOR', 'CLICOLOR_FORCE', 'CI', 'EDITOR', 'PAGER'],
  ...XDG.map(([variable]) => variable),
  ...['*_PROXY', '*_proxy'],
  ...['GIT_AUTHOR_*', 'GIT_COMMITTER_*', 'GIT_CONFIG_NOSYSTEM', 'EMAIL'],
  ...[
    'NODE_*',
    'NPM_CONFIG_*',
    'npm_config_*',
    'NVM_*',
    'FNM_*',
    'VOLTA_*',
    'COREPACK_*',
    'PNPM_HOME',
    'YARN_*',
  ],
  ...['PYTHON*', 'PYENV_*', 'PIP_*', 'UV_*', 'CONDA_*', 'POETRY_HOME', 'POETRY_VIRTUALENVS_*'],
  ...['CARGO_*', 'RUST*', 'CC', 'CXX', 'AR', 'LD', 'CFLAGS', 'CXXFLAGS', 'CPPFLAGS', 'LDFLAGS', 'MAKEFLAGS'],
  ...['CMAKE_*', 'PKG_CONFIG_PATH', 'LD_LIBRARY_PATH', 'LIBRARY_PATH', 'CPATH', 'SOURCE_DATE_EPOCH', 'NIX_*'],
  ...['GOPROXY', 'GOFLAGS', 'GOPRIVATE', 'GONOPROXY', 'GOSUMDB', 'GONOSUMDB', 'GOBIN', 'GOOS', 'GOARCH'],
  ...[
    'GOTOOLCHAIN',
    'GOMAXPROCS',
    'CGO_*',
    'JAVA_OPTS',
    'JAVA_TOOL_OPTIONS',
    'MAVEN_*',
    'GRADLE_OPTS',
    'SBT_OPTS',
  ],
  ...[
    'RBENV_*',
    'GEM_PATH',
    'RUBYOPT',
    'BUNDLE_PATH',
    'BUNDLE_GEMFILE',
    'DOTNET_*',
    'SDKMAN_*',
    'ASDF_*',
    'MISE_*',
  ],
];

const PASSED = matcher([...ORDINARY, ...CERTIFICATES, ...TOOL_FOLDERS, ...CACHE_VARIABLES]);
/** Variables that would replace the box's git settings, name ralph's folders, or give access to trackers. */
const NEVER = matcher([
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_COUNT',
  'GIT_CONFIG_KEY_*',
  'GIT_CONFIG_VALUE_*',
  'RALPH_*',
  'JIRA_TOKEN',
  'LINEAR_API_KEY',
]);
/** Address with a password; a proxy's password is allowed because the network needs it. */
const PASSWORD = /:\/\/[^\s/@]*:[^\s/@]+@/;

/** Returns a test for names; `*` in a pattern matches any characters. */
export function matcher(patterns: readonly string[]): (name: string) => boolean {
  const sources = patterns.map((one) => one.replace(/[^\w*]/g, '\\$&').replaceAll('*', '.*'));
  const expression = new RegExp(`^(?:${sources.join('|')})$`);
  return (name) => sources.length > 0 && expression.test(name);
}

export function inherited(env: Environment, { which, additional }: Inherits): Environment {
  const isNamed = matcher(additional);
  const isSecret = (name: string, value: string) =>
    isSecretName(name) || (PASSWORD.test(value) && !/_proxy$/i.test(name));
  const isPassed = (name: string, value: string) => {
    if (isNamed(name)) return true;
    if (NEVER(name)) return false;
    return which === 'all' || ((which === 'but-secrets' || PASSED(name)) && !isSecret(name, value));
  };
  return Object.fromEntries(Object.entries(env).filter(([name, value = '']) => isPassed(name, value)));
}

/** Returns absolute paths in variables: certificates, toolchains, and files of the agent's own variables. */
export function namedPlaces(env: Environment, own: readonly string[]) {
  const values = (isWanted: (name: string) => boolean) =>
    Object.entries(env).flatMap(([name, value = '']) => (isWanted(name) && isAbsolute(value) ? [value] : []));
  return {
    files: values(matcher([...CERTIFICATES, ...own])),
    folders: values(matcher([...TOOL_FOLDERS, 'SSL_CERT_DIR', 'GIT_SSL_CAPATH'])),
  };
}
