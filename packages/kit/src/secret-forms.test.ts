import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../test/helpers/random-tree.ts';
import { byteRedactor, redact } from './redact.ts';

// Values are drawn when the test runs, and prefixes are put together here: no scanner finds a token in this file.
const draw = randomNumbers(20261128);
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const drawn = (length: number, from = LETTERS): string =>
  Array.from({ length }, () => from[Math.floor(draw() * from.length)]).join('');
const hex = (length: number): string => drawn(length, '0123456789abcdef');
const uuid = (): string => [8, 4, 4, 4, 12].map(hex).join('-');

/** Texts in which `V` stands for a secret of 20 letters and digits. */
const FORMS: readonly string[] = [
  // Secrets in environments, settings and documents.
  ...[
    'aws_secret_access_key = V',
    'aws_secret_access_key=V',
    'AWS_SECRET_ACCESS_KEY=V',
    'export PASSWORD="V"',
  ],
  ...['PASSWORD = "V"', 'PASSWORD: V', 'password: V', 'db.password=V', 'dbPassword = V', "password: 'V'"],
  ...['token = "V"', '"dbPassword": "V"', '"token": "V"', '"secret": "V"', '<password>V</password>'],
  ...[
    'API-KEY: V',
    'apikey: V',
    'api_key = V',
    'client-secret: V',
    'clientSecret: "V",',
    'SECRET_KEY_BASE=V',
  ],
  ...[
    'spring.datasource.password=V',
    'spring.datasource.password: V',
    'PGPASSWORD=V psql -h db',
    'set TOKEN=V',
  ],
  ...[
    'setx API_TOKEN V',
    'ENV NPM_TOKEN V',
    '$env:API_TOKEN = "V"',
    "$password = 'V';",
    "'password' => 'V',",
  ],
  ...[':password => "V"', 'password := "V"', 'const token: string = "V";', 'let token: &str = "V";'],
  ...[
    'String dbPassword = "V";',
    'token: Optional[str] = "V"',
    'os.environ["API_TOKEN"] = "V"',
    'PASSWORD=V;',
  ],
  ...[
    'passphrase: V',
    'MYSQL_PWD=V',
    'DB_PASS=V',
    'dbPass: V',
    'auth: V',
    'credentials: V',
    '_auth=V',
    'psk="V"',
  ],
  ...[
    '- name: DB_PASSWORD\n  value: V',
    '{"name":"DB_PASSWORD","value":"V"}',
    'password: |\n  V\n',
    'password: >-\n    V',
  ],
  ...[
    '"password":\n    "V"',
    'tokens: ["V", "V"]',
    'tokens:\n  - V\n  - V\n',
    '{\\"token\\":\\"V\\"}',
    '{\\\\\\"token\\\\\\": \\\\\\"V\\\\\\"}',
  ],
  ...[
    '{"text":"export API_TOKEN=V\\nnext"}',
    '{"a":"x\\napiKey: V\\ny"}',
    'password = """V"""',
    'TOKEN=`V`',
    'deploy_key: V',
  ],
  ...[
    '"passwords": {"admin-password": "V"}',
    'secretKey: !!str V',
    'MASTER_KEY: V # rotate',
    'jwt.secret=V\r\n',
  ],
  // Secrets in documents of XML.
  ...[
    '<password encrypted="false">V</password>',
    '<ns:clientSecret>V</ns:clientSecret>',
    '<password>\n  V\n</password>',
  ],
  ...[
    '<add key="ApiKey" value="V" />',
    '<property name="password" value="V"/>',
    '<property name="db.password">V</property>',
  ],
  ...[
    '<key>password</key>\n<string>V</string>',
    '<name>db.password</name><value>V</value>',
    '<user password="V"/>',
  ],
  // Secrets in files of sign-ins, connections and addresses.
  ...[
    'machine a.example login u password V',
    'machine a.example\n  login u\n  password V\n',
    '//registry.example/:_authToken=V',
  ],
  ...[
    '//registry.example/:_password="V"',
    'Server=a;User Id=u;Password=V;Encrypt=true',
    'AccountName=a;AccountKey=VV==;',
  ],
  ...[
    'Endpoint=sb://a.example/;SharedAccessKey=V',
    'host=a dbname=b user=c password=V',
    'jdbc:postgresql://h/d?user=u&password=V',
  ],
  ...[
    'https://a.example/?sv=1&sig=V%3D',
    'https://a.example/?X-Amz-Signature=V',
    'https://a.example/?access_token=V&page=2',
  ],
  ...[
    'https://a.example/?api_key=V#top',
    'redis://:V@a.example:6379',
    'https://user:V@a.example/x',
    'https://V@a.example/x.git',
  ],
  ...['mongodb+srv://u:V@a.example/db', 'https://x-access-token:V@a.example', 'amqp://u:V%40V@a.example'],
  // Secrets in headers of requests.
  ...[
    'Cookie: session=V',
    'Set-Cookie: sid=V; HttpOnly',
    'Cookie: theme=dark; session=V',
    'X-Auth-Token: V',
    'x-api-key: V',
  ],
  ...[
    '"Authorization": "Bearer VV"',
    'Authorization: Bearer V',
    'Authorization: Basic VV==',
    'authorization: V',
  ],
  ...[
    'Proxy-Authorization: Basic V',
    'Authorization: Digest username="u", response="V"',
    "-H 'Authorization: token V'",
  ],
  ...[
    'Authorization: AWS4-HMAC-SHA256 Credential=a/b, Signature=V',
    "headers: {'X-Api-Key': 'V'}",
    'PRIVATE-TOKEN: V',
  ],
  ...[
    "document.cookie = 'session=V; path=/'",
    '"set-cookie":["sid=V; Path=/"]',
    'X-CSRF-Token: V',
    'bearer VV',
  ],
  // Secrets in options and commands.
  ...[
    'mysql --password V',
    'mysql -pV',
    "mysqldump -u root -p'V' db",
    'curl -u user:V https://a.example',
    'curl --user "user:V" x',
  ],
  ...[
    'x --token V',
    'x --token=V',
    'x --api-key "V"',
    'x --client-secret=V run',
    'sshpass -p V ssh a',
    'redis-cli -a V ping',
  ],
  ...[
    'docker login -u u -p V a.example',
    'curl -b "session=V" --cookie "session=V" x',
    'openssl rsa -passin pass:V',
    'gh auth login --with-token V',
  ],
  ...[
    'curl -H "X-Token: V"',
    '["--password","V"]',
    'client.login(password="V")',
    'setPassword("V")',
    'new Client({ apiKey: "V" })',
  ],
  // Defaults behind a name, cells of tables, values before or without their name.
  ...[
    "const secret = process.env.JWT_SECRET || 'V';",
    'apiKey = process.env.API_KEY ?? "V"',
    'os.environ.get("API_TOKEN") or "V"',
    'TOKEN="$' + '{TOKEN:-V}"',
    '| DB_PASSWORD | V |',
    '| `API_TOKEN` | `V` |',
    '│ SecretAccessKey │ V │',
    'variable "db_password" {\n  default = "V"\n}',
    '{"value": "V", "name": "DB_PASSWORD"}',
    'auth=("user", "V")',
    'req.SetBasicAuth("user", "V")',
    'GITHUB_PAT=V',
    'AZURE_DEVOPS_EXT_PAT: V',
    'TOTP_SEED=V',
    'Authorization: SSWS V',
    'Authorization: ApiToken V',
    "CREATE USER 'a'@'%' IDENTIFIED BY 'V';",
    'https://acme.webhook.office.com/webhookb2/V@V/IncomingWebhook/V/V',
    'https://hooks.zapier.com/hooks/catch/1234567/V/',
  ],
  // Passwords that a program has at a place of their own.
  ...[
    'http -a user:V a.example',
    'unzip -P V a.zip',
    '7z x -pV a.7z',
    "ssh-keygen -t ed25519 -N 'V' -f key",
    'openssl enc -aes-256-cbc -k V -in a',
    'gh secret set API_TOKEN --body "V"',
    'lftp -u alice,V sftp://a.example',
    'smbclient //h/s -U alice%V',
    'sqlplus scott/V@orcl',
    'jdbc:oracle:thin:scott/V@//h:1521/x',
    'rabbitmqctl add_user app V',
    'echo V | docker login --username u --password-stdin',
    'echo "V" | sudo -S apt update',
    '"d":"VVV"',
    'Private-Lines: 1\nVVV\nPrivate-MAC: 1',
  ],
  // Secrets in logs.
  ...[
    'using token V',
    'password is V',
    'the secret "V" was made',
    'got key V',
    'AuthToken=V, user=u',
    'credentials: {"user":"u","pass":"V"}',
  ],
];

const J = (...parts: string[]): string => parts.join('');
const TOKENS: readonly (readonly [string, () => string])[] = [
  ['Telegram', () => J(drawn(9, '123456789'), ':', drawn(35))],
  [
    'Telegram in an address',
    () => J('https://api.telegram.org/bot', drawn(9, '123456789'), ':', drawn(35), '/getMe'),
  ],
  ['Discord', () => J('M', drawn(25), '.', drawn(6), '.', drawn(38))],
  ['Vault', () => J('hv', 's.', drawn(40))],
  ['age', () => J('AGE-SECRET', '-KEY-1', drawn(58, 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789'))],
  ['Docker', () => J('dckr', '_pat_', drawn(20))],
  ['Shopify', () => J('shp', 'at_', hex(32))],
  ['Twilio', () => J('S', 'K', hex(32))],
  ['Linear', () => J('lin', '_api_', drawn(40))],
  ['Atlassian', () => J('ATA', 'TT3', drawn(40))],
  ['Sentry', () => J('sntr', 'ys_', drawn(20))],
  ['Databricks', () => J('da', 'pi', hex(32))],
  ['Postman', () => J('PM', 'AK-', drawn(40))],
  ['New Relic', () => J('NR', 'AK-', drawn(27, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'))],
  ['Grafana', () => J('gl', 'sa_', drawn(32), '_', hex(8))],
  ['Google client', () => J('GOC', 'SPX-', drawn(28))],
  ['RubyGems', () => J('ruby', 'gems_', hex(48))],
  ['Doppler', () => J('dp', '.pt.', drawn(43))],
  ['Brevo', () => J('xkeys', 'ib-', hex(64), '-', drawn(16))],
  ['Heroku', () => J('HRK', 'U-AA', drawn(58))],
  ['Netlify', () => J('nf', 'p_', drawn(36))],
  ['Fly', () => J('fm', '2_', drawn(80, `${LETTERS}+/`))],
  ['Airtable', () => J('pa', 't', drawn(14), '.', hex(64))],
  ['Terraform', () => J(drawn(14), '.atlas', 'v1.', drawn(67))],
  ['CircleCI', () => J('CCI', 'PAT_', drawn(22), '_', hex(40))],
  ['Buildkite', () => J('bk', 'ua_', hex(40))],
  ['Contentful', () => J('CF', 'PAT-', drawn(43))],
  [
    'Dynatrace',
    () => J('dt0', 'c01.', drawn(24, LETTERS.toUpperCase()), '.', drawn(64, LETTERS.toUpperCase())),
  ],
  ['Firebase', () => J('AA', 'AA', drawn(7), ':APA91b', drawn(134))],
  ['SonarQube', () => J('sq', 'u_', hex(40))],
  ['Artifactory', () => J('AK', 'Cp', drawn(69))],
  ['Resend', () => J('re', '_', drawn(8), '_', drawn(24))],
  ['Mapbox', () => J('sk', '.eyJ', drawn(60), '.', drawn(22))],
  ['EasyPost', () => J('EZ', 'AK', drawn(54))],
  ['Flutterwave', () => J('FLW', 'SECK-', hex(32), '-X')],
  ['ElevenLabs', () => J('s', 'k_', hex(48))],
  ['LangSmith', () => J('ls', 'v2_pt_', hex(32), '_', hex(10))],
  ['Pinecone', () => J('pc', 'sk_', drawn(6), '_', drawn(60))],
  ['Typeform', () => J('tf', 'p_', drawn(59))],
  [
    'Discord webhook',
    () => J('https://discord.com/api/', 'webhooks/', drawn(18, '123456789'), '/', drawn(68)),
  ],
];

/** Texts that stay as they are; `H`: 40 hex digits, `I`: a UUID, `N`: an integrity. */
const LOOK_ALIKES: readonly string[] = [
  ...[
    'token: string',
    'password: required',
    'const token = next()',
    'secret: $' + '{SECRET}',
    '<password></password>',
    'PASSWORD=',
  ],
  ...[
    '--password-file PATH',
    'key: "ArrowDown"',
    '"token": null',
    'author: a',
    'tokens = 1200',
    'keyboard: us',
  ],
  ...[
    'commit H',
    'checksum = "HH"',
    '"integrity": "N"',
    'id I',
    '✓ rejects a password that is too short (3 ms)',
  ],
  ...[
    'expect(token).toBe(undefined)',
    'PASSWORD=\n',
    'password: ""',
    "password = ''",
    'password:',
    'token: ~',
  ],
  // Types, calls and references, which hold no secret.
  ...[
    'password: str',
    'isSecret: (name: string) => boolean',
    'const secret = (a && b1) || c',
    'privateKey?: XOAuth2PrivateKey | undefined;',
    'const seed = 0x9E3779B97F4A7C15;',
    'seed: 0xcbf2_9ce4_8422_2325',
    'MASK_PASS: 0x8803',
    '[/^auth:\\s?token/]',
    'token = match?.[2]',
    'token?: string | null;',
    'secret: Option<String>,',
    'token: &str,',
    'fn f(key: u64, token: [u8; 32])',
  ],
  ...[
    'auth: AuthConfig;',
    'apiKey: z.string().min(1)',
    'String password;',
    'token String!',
    'password: getpass()',
    'token = await fetchToken(url)',
  ],
  ...[
    'secret = randomBytes(32)',
    'token = tokens[0]',
    'password = user.password',
    'this.token = token;',
    'login(password=password)',
  ],
  ...[
    'TOKEN=$(cat file)',
    'PASSWORD=$' + '{PASSWORD:-}',
    'TOKEN=$TOKEN make',
    'token: {{ .Values.token }}',
    'password: <your password>',
  ],
  ...[
    'password: %PASSWORD%',
    '$env:TOKEN',
    'password: !Ref DbPassword',
    'token: var.token',
    'API_KEY=os.getenv("API_KEY")',
  ],
  ...[
    'secret: process.env.SECRET',
    'if (token === undefined) return',
    "if token == 'identifier':",
    'const { token } = props',
    'token => token.kind',
  ],
  ...[
    'typeof token === "string"',
    'token.kind = "word"',
    'password.length < 8',
    'let token = self.next_token()?;',
    'key = lambda x: x[1]',
  ],
  ...[
    'keys: ["a", "b"]',
    'Object.keys(tokens)',
    'key=id',
    'PRIMARY KEY (id)',
    'foreign key: user_id',
    'sort_key = created_at',
  ],
  ...[
    'cacheKey: "H"',
    'key: node-modules-H',
    'public_key: abc123def456ghi789',
    'key: I',
    'tokenizer: gpt2',
    'max_tokens: 4096',
  ],
  // Settings and documents without a secret.
  ...[
    '"cookie": "^0.5.0"',
    '"js-tokens": "4.0.0"',
    '"jsonwebtoken": "^9.0.2",',
    'cookie-parser@1.4.6',
    '"passport": "0.6.0"',
  ],
  ...[
    'auth: basic',
    'credentials: include',
    "credentials: 'same-origin'",
    'authentication: true',
    'token_type: bearer',
  ],
  ...[
    'ssl_key: /etc/ssl/server.key',
    'keyFile: ./certs/server.key',
    'private_key_path = ~/.ssh/id',
    'secretName: db-credentials',
  ],
  ...[
    'password_min_length = 12',
    'token_url: https://a.example/token',
    'TOKEN_TTL=3600',
    'pass: 12',
    '# pass 12',
    'passed: 12',
  ],
  ...[
    'PASS test/auth.test.ts',
    'compass=north',
    'secretary: Alice',
    'monkey: banana',
    'keyword: foo',
    'authors = ["A B <a@b.example>"]',
  ],
  ...[
    'input_tokens: 18234',
    '"cache_read_input_tokens":128349',
    '<input type="password" name="password">',
    '<Token kind="word">text</Token>',
  ],
  ...[
    '<label for="password">Password</label>',
    'resolved "https://r.example/a.tgz#H"',
    '"session_id":"I"',
    'author=alice123 date=today',
  ],
  // Places at which a default, a cell or an option holds no secret.
  ...[
    "const token = process.env.TOKEN || '';",
    "process.env.API_KEY ?? 'test'",
    'token || next()',
    'type Secret = string | null',
    'token | undefined',
    '| Password | required |',
    '| token | the token of the user |',
    '$' + '{TOKEN:-}',
    '$' + '{TOKEN:?required}',
    'variable "db_password" {\n  type = string\n}',
    '"password": { "default": "none" }',
    'auth=(user, password)',
    'SetBasicAuth("user", "name")',
    'Authorization: required for all requests',
    'Authorization: Invalid credentials',
  ],
  ...[
    'PATH=/usr/bin',
    'GITHUB_PATH=/tmp/out',
    '_pattern: name',
    '_init_pat = "__attr_converter_%s"',
    'delimited_pat = generate',
    'seed: 20261128',
    'SEED=H',
    'salt rounds: 10',
    'IDENTIFIED BY PASSWORD',
    'https://docs.github.com/en/webhooks/about-webhooks',
    'https://react.dev/reference/hooks/useState',
    'unzip a.zip -d out',
    '7z x -pdir a.7z',
    'ssh-keygen -t ed25519 -N "" -f key',
    'lftp -u alice sftp://a',
    'smbclient //h/s -U alice',
    'sqlplus scott@orcl',
    'echo done | tee log',
    'src/auth/token.ts:12:5:error:wrong',
    '"d": "M12.5 3.2c1.1 2 3 4 5 6z"',
    '"k": "ArrowDown"',
    'token: "$' + '{a.b}:$' + '{c.d}/x1-Y2_z3&&$' + '{e.f}"',
    'secretArn: arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db',
    'toolu_01A09q90qwABmnQW7Q4dm3Ld',
    'private/var/folders/zz/T/token',
    'privateKeyPath = /etc/ssl/private/server.key',
  ],
  // Sentences and outputs of programs without a secret.
  ...[
    'Unexpected token } in JSON at position 12',
    "SyntaxError: Unexpected token '<'",
    'invalid token: expected ";"',
    "KeyError: 'name'",
  ],
  ...[
    'Password: ',
    'Enter password for user u: ',
    'password must be at least 12 characters',
    'auth > password: rejects short ones',
  ],
  ...[
    'use --token to pass a token',
    '--token TOKEN  the token',
    '--password <pw>',
    'mysql -p db',
    'docker run -u 1000:1000 a',
    'ssh -p 2222 a',
  ],
  ...[
    'docker run --user node:node a',
    'cp -p a b',
    'mkdir -p src/auth',
    'curl -u "$USER:$PASS" a',
    'git log --author=alice',
    'the key is under the mat',
  ],
  ...[
    'postgres://u:$' + '{PASSWORD}@db/x',
    'git@github.com:a/b.git',
    'http://a.example/@scope/pkg',
    'npm notice integrity: N',
    'Authorization: Bearer <token>',
  ],
  ...[
    'WWW-Authenticate: Bearer realm="a"',
    'cookie: chocolate chip',
    'Set-Cookie: theme=dark; Path=/',
    'src/token.ts:12:5 error TS2304',
    'at parseToken (src/token.ts:4:9)',
  ],
  ...[
    'test_password_reset PASSED',
    'FAIL src/password.test.ts > password: too short',
    'text.includes("-----BEGIN PRIVATE KEY-----")',
    '--auth basic, auth: none',
  ],
];

const filled = (text: string): string =>
  text
    .replace(/\bN\b/g, `sha512-${drawn(86)}==`)
    .replace(/\bHH\b/g, hex(64))
    .replace(/\bH\b/g, hex(40))
    .replace(/\bI\b/g, uuid());

describe('a secret is recognised by the shape of what is around it', () => {
  it.each(FORMS)('%s', (form) => {
    for (let round = 0; round < 20; round += 1) {
      const value = drawn(20);
      // A form's own letters stay what they are.
      const text = form.replace(/(?<![A-Za-z])V+(?![A-Za-z])|(?<=-p)V/g, (mark) => value.repeat(mark.length));
      expect(text).toContain(value);
      for (const around of [text, `before\n${text}\nafter`, `2026-11-28 info ${text}`]) {
        const shown = redact(around, []);
        expect(shown).not.toContain(value.slice(0, 8));
        expect(shown).not.toContain(value.slice(-8));
        expect(redact(shown, [])).toBe(shown);
      }
    }
  });

  it.each(TOKENS)('a token of %s, wherever it stands', (_, make) => {
    const token = make();
    for (const text of [token, `x ${token} y`, `("${token}")`])
      expect(redact(text, [])).not.toContain(token.slice(-12));
  });
});

it('a secret is hidden whatever sign it begins with, and whatever code it looks like', () => {
  const base64 = `${LETTERS}+/`;
  let shown = 0;
  const salt = `${LETTERS}!@#%^&*()-_[]{}<>~+=,.;:/?|`;
  for (let round = 0; round < 300; round += 1) {
    const key = `/${drawn(42, base64)}=`;
    expect(redact(`PrivateKey = ${key}\n`, [])).not.toContain(key.slice(4, 20));
    const token = `-${drawn(39, `${LETTERS}_-`)}`;
    expect(redact(`CLOUDFLARE_API_TOKEN: ${token}`, [])).not.toContain(token.slice(4, 20));
    const id = `${drawn(4, 'abcdef')}${drawn(4, '0123456789')}${uuid().slice(8)}`;
    expect(redact(`CODECOV_TOKEN: ${id}`, [])).not.toContain(id.slice(9));
    const mixed = `a->B${drawn(60, salt)}&&9`;
    if (redact(`define('AUTH_KEY', '${mixed}');`, []).includes(mixed.slice(8, 24))) shown += 1;
  }
  // So many signs leave few pairs of letters to judge by.
  expect(shown).toBeLessThan(15);
});

it.each(LOOK_ALIKES)('stays readable: %s', (form) => {
  for (let round = 0; round < 5; round += 1) {
    const text = filled(form);
    for (const around of [text, `before\n${text}\nafter`]) expect(redact(around, [])).toBe(around);
  }
});

describe('whatever is printed', () => {
  const parts = [
    'token',
    'password: ',
    '"',
    "'",
    '=',
    '\\',
    '\n',
    ' ',
    'V',
    '[redacted]',
    '<',
    '>',
    'cookie: a=',
    ';',
    '{',
    ', ',
  ];
  const pieces = [
    ...parts,
    'Authorization: ',
    'Bearer ',
    '-----BEGIN PRIVATE KEY-----',
    '-----END PRIVATE KEY-----',
    '://u:',
    '@h',
  ];

  it('redacting twice changes nothing more, and names and blanks stay where they are', () => {
    for (let round = 0; round < 3000; round += 1) {
      const text = Array.from({ length: 12 }, () => pieces[Math.floor(draw() * pieces.length)])
        .join('')
        .replaceAll('V', drawn(14));
      const once = redact(text, []);
      expect(redact(once, [])).toBe(once);
    }
  });

  it('is read in bounded time', () => {
    // A test that hangs fails: nothing here may take quadratic time, nor a stack as deep as the text is long.
    const hostile = [
      ...pieces,
      'token="',
      'mysql ',
      'sshpass ',
      'docker login ',
      'eyJaaaaaaaa.',
      'sk-ant-',
      'ATATT3=',
      'key: [',
      'A',
    ];
    for (const piece of hostile)
      expect(redact(piece.repeat(300_000 / piece.length), []).length).toBeGreaterThan(0);
  });
});

it('of bytes, none is lost, and each is found again', () => {
  const value = drawn(20);
  const bytes = Buffer.from(`é ${value} \xff one\npassword=${value}\ntwö pässwort\nthree`, 'latin1').toString(
    'latin1',
  );
  const { text, at } = byteRedactor(['pässwort'])(bytes + Buffer.from('pässwort').toString('latin1'));
  expect(text).toBe(`é ${value} \xff one\npassword=[redacted]\ntwö pässwort\nthree[redacted]`);
  for (const word of ['one', 'password', 'two'.slice(0, 2), 'three'])
    expect(text.slice(at(bytes.indexOf(word)))).toMatch(new RegExp(`^${word}`));
  expect(at(bytes.indexOf(`${value}\ntw`) + 3)).toBe(text.indexOf('[redacted]'));
});
