import { fitsPattern, isAtOrBelow, isTemporary, placedPath } from 'ralph-kit/paths';
import { type Field, fieldText, programName, type SimpleCommand, splitArguments } from '../shell/index.ts';
import type { Effect, EffectPlace } from './effect.ts';

const OF_USER = new RegExp(
  [
    String.raw`/\.ssh(?:$|/(?!known_hosts|config$|authorized_keys|[^/]*\.pub$))`,
    String.raw`/(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|ssh_host_\w+_key)$`,
    String.raw`/\.(?:netrc|pgpass|my\.cnf|git-credentials|pypirc|vault-token|s3cfg|boto|dockercfg|htpasswd|authinfo(?:\.gpg)?)$`,
    String.raw`/\.(?:aws|azure|gnupg|password-store|oci|fly)(?:$|/(?!config$))`,
    String.raw`/\.(?:kube/config|docker/config\.json|m2/settings[^/]*\.xml|gem/credentials|cargo/credentials[^/]*)`,
    String.raw`/\.terraform\.d/credentials`,
    String.raw`/\.config/(?:gh|glab-cli|gcloud|op|hub|rclone|doctl|heroku|github-copilot|hcloud|ngrok|stripe|sops|solana|configstore)(?:$|/)`,
    String.raw`/\.local/share/keyrings`,
    '/Library/Keychains',
    String.raw`/(?:Cookies|Login Data|logins\.json|key[34]\.db|cookies\.sqlite)$`,
    String.raw`/\.(?:claude/\.credentials\.json|(?:codex|qwen|gemini)/(?:auth|oauth_creds)\.json)$`,
    String.raw`/\.\w*_history$`,
    String.raw`^/etc/(?:g?shadow-?|master\.passwd|sudoers(?:\.d.*)?|ssl/private.*|krb5\.keytab|wireguard/.*|security/opasswd|kubernetes/(?:admin\.conf|pki/.*\.key)|rancher/k3s/k3s\.yaml|NetworkManager/system-connections/.*)$`,
    '^(?:/var)?/run/secrets/',
    String.raw`/\.(?:databrickscfg|snowsql/config|mc/config\.json|kaggle/kaggle\.json|huggingface/token|cache/huggingface/token|linode-cli|ngrok2?/ngrok\.yml|subversion/auth/.*|ethereum/keystore/.*|electrum/wallets/.*|bitcoin/wallet\.dat|supabase/access-token|netlify/config\.json|dropbox_uploader|jupyter/.*token.*|ansible/vault.*)$`,
    '^/proc/[^/]+/(?:environ|mem)$',
    String.raw`/(?:application_default_credentials|credentials)\.json$`,
  ].join('|'),
);
const OF_PROJECT =
  /(?:^|\/)(?:\.env(?:\.(?!example|sample|template|dist|defaults?|schema|test)[\w-]+)?|[^/]*\.(?:pem|p12|pfx|keystore|jks)|\.npmrc|secrets?\.(?:ya?ml|json|toml)|service-?account[^/]*\.json|credentials\.(?:ya?ml|json|toml))$/;

const OF_OTHERS = /\/\.env(?:\.(?!example|sample|template|dist|defaults?|schema|test)[\w-]+)?$/;

/** Returns whose keys, tokens or passwords lie at a path; `null` for a path without any. */
export function credentialsAt(path: string, { root, home }: EffectPlace): 'user' | 'project' | null {
  if (isAtOrBelow(path, root)) {
    const inside = path.slice(root.length);
    return OF_USER.test(inside) || OF_PROJECT.test(inside) ? 'project' : null;
  }
  if (home !== null && path === `${home}/.npmrc`) return 'user';
  if (OF_USER.test(path) || (OF_OTHERS.test(path) && !isTemporary(path))) return 'user';
  return OF_PROJECT.test(path) ? 'project' : null;
}

/** Cheap test of a text before its paths are resolved: without a match it names no credentials. */
const MAY_NAME =
  /\.ssh|id_(?:rsa|dsa|ecdsa|ed25519)|\.env|\.(?:netrc|pgpass|my\.cnf|git-credentials|pypirc|npmrc|vault-token|s3cfg|boto|dockercfg|htpasswd|authinfo|aws|azure|gnupg|password-store|oci|fly|pem|p12|pfx|keystore|jks)|host_\w+_key|kube\/config|docker\/config|\.m2|\.gem|credentials|\.config|keyrings|Keychains|Cookies|Login Data|logins\.json|key[34]\.db|_history|shadow|sudoers|ssl\/private|keytab|environ|\/mem$|secret|service-?account|auth\.json|oauth_creds|master\.passwd|opasswd|wireguard|kubernetes|k3s|system-connections|databrickscfg|snowsql|\.mc\/|kaggle|huggingface|linode-cli|ngrok|subversion|ethereum|electrum|bitcoin|supabase|netlify|dropbox_uploader|jupyter|ansible/;

/** Programs that get a path without showing the content of the file, or that use a key for its purpose. */
const NO_READERS = new Set(
  'ls ll stat test [ [[ file find fd chmod chown chgrp mkdir touch rm rmdir du realpath readlink dirname basename echo printf export cd pushd tree which ssh ssh-add ssh-copy-id ssh-keygen ssh-keyscan sftp ansible ansible-playbook kubectl helm k9s gh docker podman terraform tofu aws gcloud az source . set unset md5sum sha1sum sha256sum shasum wc true : trap ls-files shred truncate trash unlink mktemp code openssl-x509 npm npx pnpm yarn node python python3 pip uv cargo go make mount'.split(
    ' ',
  ),
);
const COPIES = new Set(['cp', 'mv', 'install', 'rsync', 'scp', 'ln', 'ditto']);
const SHOWS =
  /^(?:cat|tac|nl|less|more|bat|head|tail|strings|xxd|od|hexdump|base64|base32|grep|egrep|fgrep|rg|ag|sed|g?awk|cut|sort|uniq|paste|rev|fold|fmt|jq|yq|vim?|nvim|nano|view|emacs|curl|wget|openssl|tee|dd|tar|zip|gzip|cp|diff|perl|ruby)$/;

export function credentialEffects(
  command: SimpleCommand,
  place: EffectPlace,
  all: readonly SimpleCommand[],
): readonly Effect[] {
  const { argv, input } = command;
  const name = programName(argv[0]);
  const fed = input.output.kind === 'files' ? input.output.fields : [];
  const tells = printsCredentials(argv);
  const shown = tells !== null && isForLogin(command, all) ? null : tells;
  const named = NO_READERS.has(name) ? [] : readNames(name, argv.slice(1));
  const effects = [...named, ...fed].flatMap((field): Effect[] => {
    const whose = whoseCredentials(field, command, place);
    if (whose === null || (whose === 'project' && !SHOWS.test(name))) return [];
    return [{ kind: 'credentials', by: name, shown: fieldText(field), whose }];
  });
  return shown === null ? effects : [...effects, { kind: 'credentials', by: name, shown, whose: 'user' }];
}

export function whoseCredentials(
  field: Field,
  { cwds }: Pick<SimpleCommand, 'cwds'>,
  place: EffectPlace,
): 'user' | 'project' | null {
  if (field.head.length > 4096) return null;
  if (field.kind === 'glob') {
    if (standsForCredentials(field, cwds, place)) return 'user';
    // The mark stands for an unknown number or name, as in `/proc/$PPID/environ`.
    const named = fieldText(field).replaceAll('\uE001', '0');
    if (named.startsWith('/') && credentialsAt(named, place) === 'user') return 'user';
  }
  if (!MAY_NAME.test(field.head) && !/\.\w*\*|^[^*]*\/\.\*/.test(fieldText(field))) return null;
  for (const cwd of cwds) {
    if (cwd === null && !field.head.startsWith('/')) continue;
    const lexical = placedPath(field.head.replace(/\/$/, ''), cwd ?? '/', (same) => same, false);
    const whose = credentialsAt(lexical, place) ?? credentialsAt(place.realPath(lexical), place);
    if (whose !== null) return whose;
  }
  return null;
}

/** Usual paths of credentials, `home` relative to the home folder, `system` absolute; for matching patterns. */
const USUAL_PLACES = {
  home: [
    ...[
      '.ssh/id_rsa',
      '.ssh/id_ed25519',
      '.aws/credentials',
      '.netrc',
      '.pgpass',
      '.git-credentials',
      '.npmrc',
    ],
    ...['.kube/config', '.docker/config.json', '.gnupg/secring.gpg', '.config/gh/hosts.yml', '.bash_history'],
  ].map(namesOf),
  system: ['/etc/shadow', '/etc/gshadow', '/etc/sudoers', '/root/.ssh/id_rsa'].map(namesOf),
};

function namesOf(path: string): readonly string[] {
  return path.split('/');
}

const LONGEST_PATTERN = 200;

/** Returns whether a pattern such as `~/.ss?/id_*` or `/e?c/shado*` matches a usual path of credentials. */
function standsForCredentials(field: Field, cwds: SimpleCommand['cwds'], { home }: EffectPlace): boolean {
  const pattern = fieldText(field);
  // A star alone matches every file, so it says nothing about credentials.
  if (pattern.length > LONGEST_PATTERN || !/[*?[]/.test(pattern)) return false;
  const below = (home ?? '').split('/');
  const places = [
    ...USUAL_PLACES.system,
    ...(home === null ? [] : USUAL_PLACES.home.map((names) => [...below, ...names])),
  ];
  return cwds.some((cwd) => {
    if (cwd === null && !pattern.startsWith('/')) return false;
    const parts = placedPath(pattern, cwd ?? '/', (same) => same, false).split('/');
    return places.some(
      (names) => names.length === parts.length && names.every((name, at) => fitsName(name, parts[at] ?? '')),
    );
  });
}

function fitsName(name: string, part: string): boolean {
  return name === part || (/[*?[]/.test(part) && fitsPattern(name, part));
}

const PATTERN_FIRST = /^(?:[efz]?grep|rg|ag|ack|[gmn]?awk|sed|jq|yq)$/;

/** Returns the files that a command's arguments may name: operands, and text after `@`, `=` or `:`. */
function readNames(name: string, all: readonly Field[]): readonly Field[] {
  const at = all.findIndex((arg) => arg.head === '-C');
  const folder = /^(?:g|bsd)?tar$/.test(name) && at >= 0 ? all[at + 1] : undefined;
  const args =
    folder === undefined
      ? all
      : [...all, ...all.slice(at + 2).map((arg) => ({ ...arg, head: `${folder.head}/${arg.head}` }))];
  const keys = /^(?:scp|sftp|rsync)$/.test(name) ? args.findIndex(({ head }) => head === '-i') : -1;
  const { operands } = splitArguments(args);
  const last = COPIES.has(name) && operands.length > 1 ? operands.at(-1) : undefined;
  const pattern =
    PATTERN_FIRST.test(name) && !args.some((arg) => /^-[ef]$/.test(arg.head)) ? operands[0] : undefined;
  return args
    .filter((arg, at) => (keys < 0 || at !== keys + 1) && arg !== last && arg !== pattern && name !== 'tee')
    .flatMap((arg) => {
      const named = namedFile(arg);
      if (arg.head.startsWith('-') && named.head === arg.head) return [];
      return name === 'dd' && arg.head.startsWith('of=') ? [] : [named];
    });
}

/** Returns a word without the prefix of the file name in it: `@`, `--data=`, socat's `FILE:`. */
export function namedFile(arg: Field): Field {
  const head = arg.head
    .replace(/^--?[\w-]+=/, '')
    .replace(/^(?:[\w.-]*=)?[@<]/, '')
    .replace(/^(?:if|file)=/, '')
    .replace(/^(?:FILE|OPEN|GOPEN):([^,]*).*$/is, '$1');
  return { ...arg, head };
}

const TELLING: readonly (readonly [program: RegExp, words: RegExp])[] = [
  [/^security$/, /^(?:dump-keychain|export|find-(?:generic|internet)-password\b.*(?: -\w*[wg]\w*))/],
  [/^secret-tool$/, /^(?:lookup|search)/],
  [/^pass$/, /^(?!ls|list|find|init|git|insert|generate|help|version|--)\S/],
  [/^op$/, /^(?:read|item get|get|document get|inject)\b/],
  [/^(?:bw|lpass|keepassxc-cli|gopass)$/, /^(?:get|show|export|clip)\b/],
  [/^keyring$/, /^get\b/],
  [/^heroku$/, /^config:get\b/],
  [
    /^(?:chamber|infisical|envchain|sops|ansible-vault|age|git-crypt)$/,
    /^(?:read|export|env|secrets(?: get)?$|view|decrypt|unlock|-d\b|--decrypt)/,
  ],
  [/^gpg2?$/, /--export-secret/],
  [/^gh$/, /^auth (?:token|status .*(?:-t|--show-token))/],
  [/^glab$/, /^auth (?:token|status .*-t)/],
  [
    /^aws$/,
    /\bconfigure (?:get \S*(?:secret|key|token)|export-credentials)|\bget-secret-value\b|--with-decryption|\bget-(?:session-token|login-password|authorization-token)\b/,
  ],
  [/^gcloud$/, /\bprint-(?:access|identity)-token\b|\bsecrets versions access\b/],
  [
    /^az$/,
    /\bget-access-token\b|\bkeyvault secret (?:show|download)\b|\b(?:account|storage account) keys? list\b/,
  ],
  [/^(?:kubectl|oc|k3s)$/, /\bget (?:-\S+ )*secrets?\b.* (?:-o|--output|--template)|\bconfig view\b.*--raw/],
  [/^vault$/, /^(?:kv get|read|print token|token lookup(?!.*-accessor))\b/],
  [/^doppler$/, /^(?:secrets (?:get|download)|run .*env)/],
  [/^getent$/, /^(?:g?shadow)\b/],
  [/^git$/, /^credential(?:-\w+)? (?:fill|get)\b/],
  [/^npm$/, /^(?:token (?:create|list)|config (?:get|list).*auth)/i],
  [/^(?:heroku|flyctl|fly)$/, /^auth:?\s?token/],
];

function printsCredentials(argv: readonly Field[]): string | null {
  const name = programName(argv[0]);
  const tells = TELLING.find(([program]) => program.test(name));
  if (tells === undefined) return null;
  const words = argv.slice(1).map(fieldText).join(' ').slice(0, 2000);
  if (/(?:^|\s)--?help(?:\s|$)/.test(words)) return null;
  return tells[1].test(words) ? `${name} ${words}`.slice(0, 120) : null;
}

/** Calls that print a provider's token, with the registry it is for: a login there is the token's purpose. */
const REGISTRY_TOKENS: readonly (readonly [tells: RegExp, registry: RegExp])[] = [
  [/^aws (?:\S+ )*get-login-password\b/, /\.amazonaws\.com(?:\.cn)?$/],
  [/^gcloud auth (?:\S+ )*print-access-token\b/, /\.pkg\.dev$|(?:^|\.)gcr\.io$/],
  [/^gh auth token\b/, /^ghcr\.io$/],
];

function isForLogin(command: SimpleCommand, all: readonly SimpleCommand[]): boolean {
  const line = wordsOf(command).join(' ');
  const [, registry] = REGISTRY_TOKENS.find(([tells]) => tells.test(line)) ?? [];
  const next = all[all.indexOf(command) + 1];
  if (registry === undefined || next === undefined) return false;
  const words = wordsOf(next);
  const hosts = words.map((word) => word.replace(/^(?:https?|oci):\/\/|\/.*$/g, ''));
  return (
    words.includes('login') && words.includes('--password-stdin') && hosts.some((host) => registry.test(host))
  );
}

function wordsOf({ argv }: SimpleCommand): readonly string[] {
  return argv.map((word) => fieldText(word).slice(0, 200));
}

export function showsEnvironment(argv: readonly Field[]): boolean {
  const name = programName(argv[0]);
  const alone = argv.slice(1).every(({ head }) => /^-\w$|^--null$/.test(head));
  return /^(?:env|printenv|set|export|declare|typeset|compgen)$/.test(name) && alone;
}
