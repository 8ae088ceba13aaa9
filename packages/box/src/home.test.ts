/** @module-tag rest */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { layersProblem } from 'ralph-box';
import { namesIn } from 'ralph-kit/files/plain-file';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { boxesOf, isWholeBox, shownCopy } from '../../../test/helpers/boxed.ts';
import { makeRepository, temporaryFolder } from '../../../test/helpers/repository.ts';

const CANARY = 'canary-of-nobody-4711';

const areLayered = isWholeBox && layersProblem(temporaryFolder(), false) === null;

/** Files of a home folder in which secrets usually lie. */
const SECRETS = [
  '.ssh/id_ed25519',
  '.ssh/config',
  '.gnupg/private-keys-v1.d/a.key',
  '.aws/credentials',
  '.aws/sso/cache/a.json',
  '.azure/msal_token_cache.json',
  '.config/gcloud/credentials.db',
  '.config/gh/hosts.yml',
  '.config/glab-cli/config.yml',
  '.config/hub',
  '.kube/config',
  '.docker/config.json',
  '.config/containers/auth.json',
  '.netrc',
  '.git-credentials',
  '.config/git/credentials',
  '.password-store/mail.gpg',
  '.local/share/keyrings/login.keyring',
  '.pypirc',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.config/composer/auth.json',
  '.config/pypoetry/auth.toml',
  '.m2/settings-security.xml',
  '.terraform.d/credentials.tfrc.json',
  '.pulumi/credentials.json',
  '.fly/config.yml',
  '.config/netlify/config.json',
  '.config/doctl/config.yaml',
  '.vault-token',
  '.pgpass',
  '.my.cnf',
  '.mozilla/firefox/a.default/logins.json',
  '.config/google-chrome/Default/Cookies',
  '.config/op/config',
  '.bash_history',
  '.psql_history',
  '.config/ralph/config.toml',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.cache/huggingface/token',
  '.dotnet/corefx/cryptography/x509stores/my/a.pfx',
  'Documents/passwords.txt',
  '.env',
];

/** Settings of tools: a line that is needed, and one that signs in. */
const SETTINGS: readonly (readonly [path: string, needed: string, secret: string])[] = [
  ['.npmrc', 'registry=https://registry.example.com/', `//registry.example.com/:_authToken=${CANARY}`],
  ['.yarnrc.yml', 'npmRegistryServer: https://registry.example.com', `npmAuthToken: ${CANARY}`],
  ['.config/pip/pip.conf', 'timeout = 60', `password = ${CANARY}`],
  ['.config/uv/uv.toml', 'offline = true', `token = "${CANARY}"`],
  ['.cargo/config.toml', 'offline = true', `token = "${CANARY}"`],
  ['.m2/settings.xml', '<settings><offline>true</offline>', `<password>${CANARY}</password></settings>`],
  ['.gradle/gradle.properties', 'org.gradle.daemon=false', `nexusPassword=${CANARY}`],
  ['.config/go/env', 'GOPROXY=direct', `GOAUTH_TOKEN=${CANARY}`],
  ['.condarc', 'channels:', `  - https://name:${CANARY}@conda.example.com/main`],
];

const ROLES = ['agent', 'gate', 'set-up', 'git'] as const;

function put(home: string, name: string, text: string): void {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), text);
}

describe.skipIf(!isWholeBox)('the home folder in the box', () => {
  let [home, root] = ['', ''];
  beforeAll(() => {
    [home, root] = [temporaryFolder(), makeRepository().root];
    for (const name of SECRETS) put(home, name, CANARY);
    for (const [name, needed, secret] of SETTINGS) put(home, name, `${needed}\n${secret}\n`);
    // Links that lead from what is shown to something that isn't.
    for (const shown of ['.nvm', '.local/bin', 'go/bin']) {
      mkdirSync(join(home, shown), { recursive: true });
      symlinkSync(join(home, '.ssh'), join(home, shown, 'link'));
    }
    symlinkSync(join(home, '.aws'), join(home, '.volta'));
    put(
      home,
      '.gitconfig',
      `[user]\n\tname = A\n[http]\n\textraHeader = ${CANARY}\n[credential]\n\thelper = store\n`,
    );
  });
  const inBox = (settings = {}) => {
    const { XDG_CONFIG_HOME: _config, XDG_STATE_HOME: _state, ...rest } = process.env;
    const env = { ...rest, HOME: home, PATH: `${home}/.local/bin:${home}/go/bin:${process.env.PATH}` };
    return boxesOf(root, { home, env, settings });
  };
  const found = `grep -rlF ${CANARY} "$HOME" "$HOME"/.nvm/link/ "$HOME"/.local/bin/link/ "$HOME"/.volta/ 2>/dev/null`;

  it.each(ROLES)('shows none of 44 places of secrets to: %s', (role) => {
    const outside = spawnSync('sh', ['-c', found], { env: { ...process.env, HOME: home }, encoding: 'utf8' });
    for (const name of SECRETS) expect(outside.stdout).toContain(join(home, name));
    expect(SECRETS.length).toBeGreaterThanOrEqual(40);
    expect(inBox()(role, `${found}; true`).output).toBe('');
    for (const name of SECRETS) expect(inBox()(role, `cat "$HOME/${name}"`).code, name).toBe(1);
  });

  it.each(SETTINGS)('%s is there without what signs in', (name, needed) => {
    const { output } = inBox()('gate', `cat "$HOME/${name}"`);
    expect(output).toContain(needed);
    expect(output).not.toContain(CANARY);
  });

  it("has git's settings without credentials", () => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: join(home, '.gitconfig') };
    const { output } = boxesOf(root, { home, env })(
      'agent',
      'git config --global --list; cat "$HOME/.gitconfig"',
    );
    expect(output).not.toContain(CANARY);
  });

  it('[box] readable shows a file as it is, and nothing beside it', () => {
    const open = inBox({ readable: ['~/.npmrc', '~/.config/gh'] });
    expect(
      open('gate', 'cat ~/.npmrc ~/.config/gh/hosts.yml').output.match(new RegExp(CANARY, 'g')),
    ).toHaveLength(2);
    expect(open('gate', 'echo x >> ~/.npmrc').code).not.toBe(0);
    expect(open('gate', 'cat ~/.config/hub').code).toBe(1);
  });

  it('[box] can not open the home folder as a whole', () => {
    for (const settings of [{ readable: ['~'] }, { writable: ['~'] }, { readable: ['/'] }])
      expect(inBox(settings)('agent', 'cat ~/.ssh/id_ed25519').code).toBe(1);
  });

  it('[box] writable of the cache leaves out what ralph compiled, which it runs as it is', () => {
    vi.stubEnv('XDG_CACHE_HOME', join(home, '.cache'));
    const open = inBox({ writable: ['~/.cache'] });
    const compiled = join(home, '.cache', 'ralph', 'compiled');
    expect(open('agent', 'echo x > ~/.cache/mine').code).toBe(0);
    expect(readFileSync(join(home, '.cache', 'mine'), 'utf8')).toBe('x\n');
    open('agent', 'mkdir -p ~/.cache/ralph/compiled; echo x > ~/.cache/ralph/compiled/a');
    expect(namesIn(compiled)).toEqual([]);
    vi.unstubAllEnvs();
  });

  it.skipIf(!areLayered)('what is written there goes with the launch, and nothing of it is outside', () => {
    const before = namesIn(home).sort();
    expect(inBox()('gate', 'echo x > ~/.profile && mkdir -p ~/.nuget/a && echo y >> ~/.npmrc').code).toBe(0);
    expect(namesIn(home).sort()).toEqual(before);
    expect(readFileSync(join(home, '.npmrc'), 'utf8')).not.toContain('y\n');
    expect(inBox()('gate', 'ls ~/.profile ~/.nuget').code).not.toBe(0);
  });

  it.skipIf(!areLayered)(
    'one home for each copy: a gate sees what set-up left, and neither the agent nor another gate',
    () => {
      const { copy, run } = shownCopy(root, { home, env: { ...process.env, HOME: home } });
      expect(run('set-up', 'echo s > ~/.of-set-up', copy).code).toBe(0);
      expect(run('agent', 'cat ~/.of-set-up && echo a > ~/.of-agent', copy).output).toBe('s\n');
      expect(run('agent', 'cat ~/.of-agent', copy).output).toBe('a\n');
      expect(run('gate', 'cat ~/.of-set-up; echo g > ~/.of-gate; ! ls ~/.of-agent', copy).output).toMatch(
        /^s\n/,
      );
      expect(run('gate', 'ls ~/.of-agent ~/.of-gate', copy).code).not.toBe(0);
      expect(run('agent', 'ls ~/.of-gate', copy).code).not.toBe(0);
    },
  );
});

describe.skipIf(!isWholeBox)('the environment in the box', () => {
  const root = () => makeRepository().root;
  const SECRET = {
    GITHUB_TOKEN: 'a-token-of-4711',
    AWS_SECRET_ACCESS_KEY: 'a-key-of-4711',
    DATABASE_PASSWORD: 'a-word-of-4711',
    PIP_INDEX_URL: 'https://name:a-word-of-4711@pypi.example.com/simple',
    CARGO_REGISTRY_TOKEN: 'a-token-of-4711',
    npm_config__authToken: 'a-token-of-4711',
  };
  const OTHER = { DATABASE_URL: 'postgres://localhost/4711', STRIPE_ACCOUNT: 'a-4711', RALPH_TRUST: '4711' };
  const ORDINARY = {
    LC_ALL: 'C',
    HTTPS_PROXY: 'http://u:p@proxy.example.com',
    CI: '1',
    JAVA_HOME: '/opt/java',
  };
  const env = { ...process.env, ...SECRET, ...OTHER, ...ORDINARY };
  const names = (output: string) => output.split('\n').map((line) => line.slice(0, line.indexOf('=')));

  it.each(['gate', 'set-up', 'git'] as const)('%s: what tools go by, and what [gates] env names', (role) => {
    const plain = names(boxesOf(root(), { env })(role, 'env').output);
    expect(plain).toEqual(expect.arrayContaining(Object.keys(ORDINARY)));
    for (const name of [...Object.keys(SECRET), ...Object.keys(OTHER)]) expect(plain).not.toContain(name);
    const named = boxesOf(root(), { env, variables: ['DATABASE_*', 'GITHUB_TOKEN'] })(role, 'env').output;
    expect(names(named)).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'DATABASE_PASSWORD', 'GITHUB_TOKEN']),
    );
    expect(names(named)).not.toContain('STRIPE_ACCOUNT');
  });

  it('an agent: all but what is named like a secret, its own keys, and what its settings name', () => {
    const inherits = { which: 'but-secrets', additional: ['AWS_*'] } as const;
    const seen = names(boxesOf(root(), { env, inherits })('agent', 'env').output);
    expect(seen).toEqual(expect.arrayContaining(['DATABASE_URL', 'STRIPE_ACCOUNT', 'AWS_SECRET_ACCESS_KEY']));
    for (const name of ['GITHUB_TOKEN', 'DATABASE_PASSWORD', 'PIP_INDEX_URL', 'RALPH_TRUST'])
      expect(seen).not.toContain(name);
  });

  it('an agent of your own: all but the keys of trackers, unless you name them', () => {
    const keys = { JIRA_TOKEN: 'a-token-of-4711', LINEAR_API_KEY: 'a-key-of-4711' };
    const seenBy = (additional: readonly string[]) =>
      names(
        boxesOf(root(), { env: { ...env, ...keys }, inherits: { which: 'all', additional } })('agent', 'env')
          .output,
      );
    expect(seenBy([])).toContain('GITHUB_TOKEN');
    for (const name of Object.keys(keys)) expect(seenBy([])).not.toContain(name);
    expect(seenBy(['JIRA_*'])).toContain('JIRA_TOKEN');
  });

  it('no sign of ralph in it, nor in /run', () => {
    for (const role of ['agent', 'gate'] as const)
      expect(
        boxesOf(root(), { env })(role, 'env | grep -i ralph_; ls -d /run/ralph* 2>/dev/null; true').output,
      ).toBe('');
  });
});

/** Caches of tools, and what a program would be run from when it is poisoned. */
const CACHES = [
  '.npm/_cacache/index-v5/a',
  '.npm/_npx/1/node_modules/.bin/a',
  '.local/share/pnpm/store/v3/files/a',
  '.cache/pnpm/dlx/a',
  '.cache/yarn/v6/a',
  '.cache/pip/wheels/a.whl',
  '.cache/uv/wheels-v1/a',
  '.cargo/registry/src/a/build.rs',
  'go/pkg/mod/a/a.go',
  '.m2/repository/a/a.jar',
  '.gradle/caches/modules-2/a.jar',
  '.gradle/wrapper/dists/gradle/bin/gradle',
  '.cache/pre-commit/repo1/hook',
  '.cache/ms-playwright/chromium/chrome',
  '.cache/node/corepack/v1/pnpm/bin/pnpm.cjs',
];

/** npm sets a variable with its own path for what it starts. */
const envOf = (home: string) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  HOME: home,
});

describe.skipIf(!isWholeBox || !areLayered)('caches in the box', () => {
  it.each(CACHES)('%s: read from yours, and never poisoned', (name) => {
    const home = temporaryFolder();
    put(home, name, 'good\n');
    const path = `"$HOME/${name}"`;
    const poison = `cat ${path} && echo bad > ${path} && cat ${path}`;
    // Without a box, the command changes the cache; so it shows something that yours stays as it is with one.
    const other = temporaryFolder();
    put(other, name, 'good\n');
    spawnSync('sh', ['-c', poison], { env: { ...process.env, HOME: other } });
    expect(readFileSync(join(other, name), 'utf8')).toBe('bad\n');
    const { root } = makeRepository();
    const { copy, run } = shownCopy(root, { home, env: envOf(home) });
    expect(run('agent', poison, copy).output).toBe('good\nbad\n');
    // The agent itself finds what it wrote; gates, set-up, hooks, other repositories and you don't.
    expect(run('agent', `cat ${path}`, copy).output).toBe('bad\n');
    for (const role of ['set-up', 'gate', 'git'] as const)
      expect(run(role, `cat ${path}`, copy).output).toBe('good\n');
    expect(run('gate', poison, copy).output).toBe('good\nbad\n');
    expect(run('gate', `cat ${path}`, copy).output).toBe('good\n');
    const elsewhere = shownCopy(makeRepository().root, { home, env: envOf(home) });
    expect(elsewhere.run('agent', `cat ${path}`, elsewhere.copy).output).toBe('good\n');
    expect(readFileSync(join(home, name), 'utf8')).toBe('good\n');
  });
});
