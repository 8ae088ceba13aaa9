import { accessSync, constants } from 'node:fs';
import { readFileBytes } from 'ralph-kit/files/plain-file';
import { tryOr } from 'ralph-kit/try-or';

/** Parents of other users' home folders. */
export const HOMES = ['/home', '/root'];

/** Secrets outside of home folders: keys, passwords, data of containers and other users. */
const SECRETS = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/krb5.keytab',
  '/etc/ssl/private',
  '/etc/pki/tls/private',
  '/etc/letsencrypt',
  '/etc/ssh/ssh_host_rsa_key',
  '/etc/ssh/ssh_host_ecdsa_key',
  '/etc/ssh/ssh_host_ed25519_key',
  '/etc/kubernetes',
  '/etc/rancher',
  '/etc/docker',
  '/etc/NetworkManager',
  '/etc/wpa_supplicant',
  '/etc/wireguard',
  '/etc/openvpn',
  '/etc/ipsec.secrets',
  '/etc/ppp',
  '/var/backups',
  '/var/lib/docker',
  '/var/lib/containerd',
  '/var/lib/containers',
  '/var/lib/kubelet',
  '/var/lib/NetworkManager',
  '/var/lib/postgresql',
  '/var/lib/mysql',
  '/var/lib/redis',
  '/var/mail',
  '/var/spool',
  '/swapfile',
  '/swap.img',
];

/** Returns the secrets that this user could read. */
export function secretsOutside(): string[] {
  return SECRETS.filter((path) =>
    tryOr(false, () => {
      accessSync(path, constants.R_OK);
      return true;
    }),
  );
}

/** Returns absolute paths of listening sockets, as the kernel lists them. */
export function socketsBound(): string[] {
  const lines = tryOr('', () => readFileBytes('/proc/net/unix').toString('utf8')).split('\n');
  return [...new Set(lines.flatMap((line) => /^(?:\S+ +){7}(\/.*)$/.exec(line)?.[1] ?? []))];
}
