import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { randomNumbers } from '../../../../test/helpers/random-tree.ts';
import { bareSettings } from './bare-settings.ts';

const draw = randomNumbers(64);
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const drawn = (length: number) =>
  Array.from({ length }, () => LETTERS[Math.floor(draw() * LETTERS.length)]).join('');

/** A file, what signs in (`§` is the secret), and what has to stay. */
const TABLE: readonly (readonly [path: string, signsIn: string, stays: string])[] = [
  // Settings files with a name and a value on each line.
  ['.npmrc', '//registry.example/:_authToken=§', 'registry=https://registry.example/'],
  ['.npmrc', '//registry.example/:_password="§"', 'always-auth=true'],
  ['.npmrc', '_auth = §', 'strict-ssl = false'],
  ['.npmrc', '//registry.example/npm/:username=u\n//registry.example/npm/:_password=§', 'fund=false'],
  ['.npmrc', 'https-proxy=http://u:§@proxy.example:8080', '@scope:registry=https://a.example/npm/'],
  ['.npmrc', 'key="-----BEGIN PRIVATE KEY-----\\n§\\n-----END PRIVATE KEY-----"', 'cafile=/etc/ssl/ca.pem'],
  ['.npmrc', '; _authToken=§', 'auth-type=legacy'],
  ['.config/pnpm/rc', '//a.example/:_authToken=§', 'store-dir=/var/store'],
  ['.yarnrc', '"//registry.example/:_authToken" "§"', 'registry "https://registry.example/"'],
  ['.yarnrc', '"_authToken" §', 'network-timeout 60000'],
  ['.config/go/env', 'GOPROXY=https://u:§@proxy.example,direct', 'GOFLAGS=-mod=mod'],
  ['.config/go/env', 'GOAUTH_TOKEN=§', 'GOPRIVATE=a.example'],
  ['.asdfrc', 'github_token = §', 'legacy_version_file = yes'],
  // Settings files in which a value continues on the next line.
  ['.config/pip/pip.conf', '[global]\npassword =\n    §', '[install]\ntimeout = 60'],
  ['.config/pip/pip.conf', '[global]\nindex-url = https://u:§@a.example/simple', '[install]\nretries = 3'],
  [
    '.config/pip/pip.conf',
    '[global]\nextra-index-url =\n    https://b.example/simple\n    https://u:§@a.example/simple',
    'timeout: 60',
  ],
  ['.pip/pip.conf', '[global]\nindex-url = https://a.example/§/simple', 'no-cache-dir = false'],
  [
    '.pip/pip.conf',
    '[global]\nindex-url = https://a.example/simple?token=§',
    'disable-pip-version-check = true',
  ],
  ['.gradle/gradle.properties', 'nexusPassword=§', 'org.gradle.daemon=false'],
  ['.gradle/gradle.properties', 'nexusPass\\\n  word=§', 'org.gradle.caching=true'],
  [
    '.gradle/gradle.properties',
    'nexusPassword=\\\n   §',
    'org.gradle.jvmargs=-Xmx2g \\\n  -Dfile.encoding=UTF-8',
  ],
  [
    '.gradle/gradle.properties',
    'systemProp.https.proxyPassword : §',
    'systemProp.https.proxyHost=proxy.example',
  ],
  ['.gradle/gradle.properties', 'nexus\\u0050assword §', 'signing.keyId=24875D73'],
  [
    '.gradle/gradle.properties',
    'org.gradle.jvmargs=-Xmx1g -Dnexus.password=§',
    'signing.secretKeyRingFile=/k/ring.gpg',
  ],
  ['.sbt/repositories', '[repositories]\n  a: https://u:§@a.example/maven', '  local'],
  // Settings files that are documents, such as TOML and YAML.
  ['.cargo/config.toml', '[registries.a]\ntoken = "§"', '[net]\noffline = true'],
  [
    '.cargo/config.toml',
    '[registries]\na = { index = "https://i.example", token = "§" }',
    '[build]\njobs = 2',
  ],
  [
    '.cargo/config.toml',
    '[registries.a]\ntoken = """\n§"""',
    '[registries.b]\nindex = "sparse+https://i.example/"',
  ],
  ['.cargo/config', '[http]\nproxy = "u:§@proxy.example:80"', '[profile.dev]\ndebug = 1'],
  [
    '.cargo/config.toml',
    '[env]\nA_TOKEN = { value = "§", force = true }',
    '[alias]\nb = ["build", "--release"]',
  ],
  [
    '.cargo/config.toml',
    '[alias]\np = ["publish", "--token", "§"]',
    '[target.x86_64-unknown-linux-gnu]\nlinker = "clang"',
  ],
  ['.config/uv/uv.toml', 'index = [{ name = "a", url = "https://u:§@a.example/simple" }]', 'offline = true'],
  [
    '.bunfig.toml',
    '[install.scopes]\na = { token = "§", url = "https://a.example" }',
    '[install]\noptional = true',
  ],
  ['.bunfig.toml', '[install.scopes]\na = "https://u:§@a.example/"', '[test]\ncoverage = true'],
  [
    '.config/pypoetry/config.toml',
    '[http-basic.a]\nusername = "u"\npassword = "§"',
    '[virtualenvs]\nin-project = true',
  ],
  ['.config/mise/config.toml', '[env]\nGITHUB_TOKEN = "§"', '[tools]\nnode = "20"'],
  ['.yarnrc.yml', 'npmAuthToken: §', 'npmRegistryServer: "https://registry.example"'],
  [
    '.yarnrc.yml',
    'npmRegistries: {"//a.example": {npmAuthToken: §, npmAlwaysAuth: true}}',
    'nodeLinker: node-modules',
  ],
  ['.yarnrc.yml', 'npmScopes:\n  a:\n    npmAuthIdent: |-\n      u:§', 'enableTelemetry: false'],
  ['.yarnrc.yml', 'x: &a {npmAuthToken: §}\ny: *a', 'compressionLevel: mixed'],
  ['.condarc', 'channels:\n  - https://conda.example/t/§/main\n  - conda-forge', 'ssl_verify: true'],
  ['.condarc', 'proxy_servers:\n  http: http://u:§@proxy.example:8080', 'auto_update_conda: false'],
  ['.gemrc', ':sources:\n- https://§@gems.example/\n- https://rubygems.example/', 'gem: --no-document'],
  ['.gemrc', ':rubygems_api_key: §', ':verbose: true'],
  // Settings files in XML, in the form of programs, or of lists.
  [
    '.m2/settings.xml',
    '<servers><server><id>a</id><password>§</password></server></servers>',
    '<offline>true</offline>',
  ],
  [
    '.m2/settings.xml',
    '<server><password\n >§</password\n></server>',
    '<localRepository>/var/m2</localRepository>',
  ],
  ['.m2/settings.xml', '<!-- <password>§</password> -->', '<interactiveMode>false</interactiveMode>'],
  [
    '.m2/settings.xml',
    '<properties><github.token><![CDATA[§]]></github.token></properties>',
    '<properties><jdk>17</jdk></properties>',
  ],
  [
    '.m2/settings.xml',
    '<mirror><url>https://u:§@a.example/maven</url></mirror>',
    '<mirrorOf>central</mirrorOf>',
  ],
  [
    '.nuget/NuGet/NuGet.Config',
    '<packageSourceCredentials><a><add key="ClearTextPassword" value="§" /></a></packageSourceCredentials>',
    '<add key="nuget.example" value="https://nuget.example/v3/index.json" />',
  ],
  [
    '.nuget/NuGet/NuGet.Config',
    "<apikeys><add key='https://a.example' value='§' /></apikeys>",
    '<config><add key="globalPackagesFolder" value="/var/nuget" /></config>',
  ],
  ['.config/git/ignore', 'token=§', '*.log'],
];

const wrapped = (path: string, text: string): string =>
  /xml$|Config$/.test(path) ? `<settings>${text}</settings>` : text;

describe('settings of a tool, without what signs in', () => {
  it.each(TABLE)('%s: %s', (path, signsIn, stays) => {
    for (const secret of [drawn(20), 'canary-of-yours-4711']) {
      // One without odd letters can't be told from a word where nothing names it.
      if (/example\/§|\/t\/§/.test(signsIn) && secret.startsWith('canary')) continue;
      for (const text of [`${signsIn}\n${stays}\n`, `${stays}\n${signsIn}\n`]) {
        const bare = bareSettings(path, wrapped(path, text.replaceAll('§', secret)));
        expect(bare, text).not.toBeNull();
        expect(bare).not.toContain(secret);
        expect(bare).not.toContain(secret.slice(0, 12));
      }
      const bare = bareSettings(path, wrapped(path, `${stays}\n${signsIn.replaceAll('§', secret)}\n`)) ?? '';
      if (/toml$|cargo\/config$/.test(path)) expect(parseToml(bare)).toMatchObject(parseToml(stays));
      else if (/yml$|condarc$|gemrc$/.test(path)) expect(parseYaml(bare)).toMatchObject(parseYaml(stays));
      else expect(bare).toContain(stays);
    }
  });

  it.each(TABLE)("%s keeps all of what isn't a sign-in (not: %s)", (path, _, stays) => {
    const text = wrapped(path, `${stays}\n`);
    const bare = bareSettings(path, text) ?? '';
    if (/toml$|cargo\/config$/.test(path)) expect(parseToml(bare)).toEqual(parseToml(stays));
    else if (/yml$|condarc$|gemrc$/.test(path)) expect(parseYaml(bare)).toEqual(parseYaml(stays));
    else expect(bare).toBe(text);
  });

  it('what is beside a secret in one document stays', () => {
    const cargo =
      '[registries]\na = { index = "https://i.example", token = "§" }\nb = { index = "https://j.example" }\n';
    expect(parseToml(bareSettings('.cargo/config.toml', cargo) ?? '')).toEqual({
      registries: { a: { index: 'https://i.example' }, b: { index: 'https://j.example' } },
    });
    expect(
      parseYaml(
        bareSettings('.condarc', 'channels: [https://u:§@a.example/main, https://b.example?x=1&token=§]') ??
          '',
      ),
    ).toEqual({ channels: ['https://a.example/main', 'https://b.example?x=1'] });
    expect(
      bareSettings(
        '.pip/pip.conf',
        '[global]\nextra-index-url =\n  https://b.example\n  https://u:§@a.example\n',
      ),
    ).toBe('[global]\nextra-index-url =\n  https://b.example\n  https://a.example\n');
  });

  it.each([
    ['.cargo/config.toml', 'token = "§'],
    ['.yarnrc.yml', 'a: [§'],
    ['.m2/settings.xml', '<settings><password>§</settings>'],
    ['.m2/settings.xml', '<settings><password>§'],
    ['.nuget/NuGet/NuGet.Config', '<a b=§></a>'],
    ['.gradle/init.gradle', 'repositories { maven { credentials { username "u"; password "§" } } }'],
    ['.gradle/init.gradle.kts', 'maven { url = uri("https://u:§@a.example") }'],
    ['.mavenrc', 'MAVEN_OPTS="-Dnexus.password=hunter22"'],
  ])('%s is left out where it cannot be read, or is a program that signs in: %s', (path, text) => {
    expect(bareSettings(path, text)).toBeNull();
  });

  it.each([
    ['.gradle/init.gradle', 'allprojects { repositories { maven { url "https://a.example/maven" } } }'],
    ['.mavenrc', 'MAVEN_OPTS="-Xmx1g"'],
    ['.tool-versions', 'nodejs 20.1.0\npython 3.12\n'],
    ['.editorconfig', '[*]\nindent_style = space\n'],
  ])('%s stays as it is: %s', (path, text) => {
    expect(bareSettings(path, text)).toBe(text);
  });
});
