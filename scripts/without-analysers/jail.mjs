import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { OF_SERVICE } from './secrets.mjs';

/** Bytes that all files which a command writes may take together. */
const SIZE = 400_000_000;
/** Parts of the machine that the jail shows: enough to run the programs, little enough to be walked in seconds. */
const MACHINE = [
  ...['/usr/bin', '/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/lib/git-core'],
  ...[
    '/usr/lib/python3',
    '/usr/lib/python3.11',
    '/usr/lib/ruby',
    '/usr/lib64',
    '/usr/lib/bash',
    '/usr/share/git-core',
    '/usr/share/perl5',
    '/usr/share/perl',
  ],
  ...['/usr/share/zsh', '/usr/share/terminfo', '/usr/lib/terminfo'],
];
/**
 * Folders of the machine that belong to the user who runs the commands here, as in many containers; each has some
 * content.
 */
export const OWNED = ['/etc', '/var/log', '/usr/sbin', '/sys', '/data'];
/** Files of `/etc` that programs need. */
const OF_ETC = ['passwd', 'group', 'nsswitch.conf', 'ld.so.cache', 'alternatives', 'zsh'];
/** Names of disks, which are plain files here; a user in their group may write them. */
const DISKS = ['sda', 'sda1', 'sdb', 'sdc1', 'loop0'];
const DISK_BYTES = 2_000_000;
const OF_RALPH = ['bin', 'dist', 'schemas', 'templates', 'types', 'package.json'];
const NAMES = 'evil.example evil.com attacker.example opensearch.local host';
const CLIENTS =
  'aws az gcloud gsutil gh kafka-topics kubectl mc mysqladmin nats rclone restic ssh mail vault velero rabbitmqctl gitlab-runner'.split(
    ' ',
  );

/** Settings that let services listen at low ports as an ordinary user. */
const OWN_NETWORK =
  'ulimit -f 200000; ip link set lo up; echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start; exec "$@"';

/** Makes the files that a jail shows at `/given`. @param folder An empty folder. */
export function makeGiven(folder) {
  const here = import.meta.dirname;
  const run = (program, ...args) => {
    const { status, stderr, error } = spawnSync(program, args, {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin' },
    });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
  };
  for (const name of [
    'bin',
    'agent.mjs',
    'jail.mjs',
    'look.mjs',
    'payload.sh',
    'play.mjs',
    'secrets.mjs',
    'services.mjs',
  ])
    run('cp', '-r', join(here, name), folder);
  for (const name of readdirSync(join(folder, 'bin'))) chmodSync(join(folder, 'bin', name), 0o755);
  for (const name of CLIENTS) run('ln', '-s', 'client', join(folder, 'bin', name));
  for (const name of ['ncat', 'socat']) run('ln', '-s', 'nc', join(folder, 'bin', name));
  run('ln', '-s', '/usr/bin/bash', join(folder, 'bin', 'ksh'));
  run('ln', '-s', '/usr/bin/python3', join(folder, 'bin', 'python'));
  run('cp', '/usr/bin/rm', join(folder, 'rm'));
  mkdirSync(join(folder, 'home'));
  mkdirSync(join(folder, 'etc'));
  for (const name of OF_ETC)
    if (existsSync(`/etc/${name}`)) run('cp', '-r', `/etc/${name}`, join(folder, 'etc'));
  run('sh', join(here, 'template.sh'), join(folder, 'home'));
  const secrets = ['.ssh', '.aws', '.azure', '.config/gcloud', '.config/gh', '.config/rclone', '.kube'];
  for (const name of secrets) mkdirSync(join(folder, 'home', name), { recursive: true });
  writeFileSync(join(folder, 'etc', 'hosts'), `127.0.0.1 localhost ${NAMES}\n`);
  writeFileSync(join(folder, 'service'), `key = ${OF_SERVICE}\n`);
  writeFileSync(join(folder, 'wgetrc'), 'check_certificate = off\n');
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(folder, name));
  const names = NAMES.split(' ')
    .map((name) => `DNS:${name}`)
    .join(',');
  const certificate = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '365', '-subj', '/CN=evil.example'];
  run('openssl', 'req', ...certificate, '-addext', `subjectAltName=${names}`, '-keyout', key, '-out', cert);
}

/**
 * Returns a program that plays commands in a jail, one after the other: a machine of its own, read-only but for a home
 * folder in memory, with no network but its own loopback, as an ordinary user.
 */
export function inJail(given, top, commands, how) {
  const all = commands.join('\n');
  const home = all.includes('/home/test') ? '/home/test' : '/home/user';
  const shop = all.includes('/workspace/project') ? '/workspace/project' : `${home}/shop`;
  const folder = join(given, 'commands');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [at, command] of commands.entries())
    writeFileSync(join(folder, `${String(at).padStart(3, '0')}.sh`), `${command}\n`);
  const ralph = OF_RALPH.map((name) => join(top, name)).filter((path) => existsSync(path));
  const links = ['/bin', '/sbin', '/lib', '/lib64'].filter((path) =>
    lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink(),
  );
  const env = {
    ...{ HOME: home, SHOP: shop, USER: 'user', LANG: 'C.UTF-8', PATH: '/given/bin:/usr/bin:/bin:/opt/sbin' },
    ...{ URL: 'http://evil.example/x.sh', REMOTE: 'origin', REV: 'HEAD~1' },
    ...{ CURL_CA_BUNDLE: '/given/cert.pem', WGETRC: '/given/wgetrc', NODE_EXTRA_CA_CERTS: '/given/cert.pem' },
  };
  const args = [
    ...MACHINE.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]),
    ...links.flatMap((path) => ['--symlink', readlinkSync(path), path]),
    ...ralph.flatMap((path) => ['--ro-bind', path, path]),
    ...[
      '--ro-bind',
      '/usr/sbin',
      '/opt/sbin',
      '--ro-bind',
      given,
      '/given',
      '--ro-bind',
      join(given, 'bin', 'rm'),
      '/usr/bin/rm',
    ],
    ...['--ro-bind', join(given, 'service'), '/var/lib/service/.aws/credentials'],
    ...['/home', '/tmp', '/var/tmp', '/workspace', '/run', ...OWNED].flatMap((path) => [
      '--size',
      String(SIZE),
      '--tmpfs',
      path,
    ]),
    ...[
      '--dir',
      home,
      '--dir',
      shop.replace(/\/shop$/, ''),
      '--dev',
      '/dev',
      ...disks(given),
      '--remount-ro',
      '/dev',
      '--proc',
      '/proc',
      '--remount-ro',
      '/',
    ],
    ...[
      '--unshare-user',
      '--uid',
      '1000',
      '--gid',
      '1000',
      '--unshare-pid',
      '--unshare-ipc',
      '--unshare-uts',
    ],
    ...['--die-with-parent', '--new-session', '--clearenv', '--chdir', home],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
  ];
  return [
    '-r',
    '-n',
    'sh',
    '-e',
    '-c',
    OWN_NETWORK,
    'sh',
    'bwrap',
    ...args,
    '/usr/bin/node',
    '/given/play.mjs',
    how,
    top,
  ];
}

function disks(given) {
  return DISKS.flatMap((name) => {
    writeFileSync(join(given, name), Buffer.alloc(DISK_BYTES, name));
    return ['--bind', join(given, name), `/dev/${name}`];
  });
}

/**
 * Returns whether permissions stop whoever runs this program: it plays destructive commands, and the jail is only the
 * second wall.
 */
export function isOrdinaryUser() {
  return process.getuid?.() !== 0;
}
