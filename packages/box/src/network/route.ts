import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { getProxyForUrl } from 'proxy-from-env';
import { canonicalHost, type Host, type HostEntry, isListed, isLoopback } from '../protocol/hosts.ts';

export type Reach = {
  readonly entries: readonly HostEntry[];
  readonly setting: string;
  /** Called when a host that isn't listed was requested. */
  readonly onRefused: (host: Host) => void;
};

/** Route to a host: one of the checked addresses, or your own proxy. */
type Route =
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'direct'; readonly addresses: readonly Address[] }
  | { readonly kind: 'proxy'; readonly proxy: URL };

/**
 * Decides whether and how a host is reached. Names are resolved once, so the checked address is the one connected to:
 * a listed name that leads to this machine or a private network is refused unless that address is listed. Behind your
 * proxy, the proxy resolves.
 * @param scheme Selects the proxy variable.
 * @throws The Node error when the name isn't known.
 */
export async function routeTo(
  { entries, setting, onRefused }: Reach,
  target: Host,
  scheme: 'http' | 'https',
): Promise<Route> {
  const { host, port } = target;
  if (!isListed(entries, target)) {
    onRefused(target);
    return { kind: 'refused', why: `${host}:${port} isn't listed in [box] ${setting}.` };
  }
  const isHere = isLoopback(host);
  const proxy = isHere ? '' : getProxyForUrl(`${scheme}://${host}:${port}`);
  if (proxy !== '') return { kind: 'proxy', proxy: new URL(proxy) };
  const all = await addressesOf(host);
  const places = all.map((one) => ({ ...one, host: canonicalHost(one.address) ?? '', port }));
  const addresses = places.filter((one) => isHere || !isPrivate(one) || isListed(entries, one));
  const [first] = places;
  if (addresses.length > 0 || first === undefined) return { kind: 'direct', addresses };
  onRefused(first);
  const why = `${host} leads to ${first.address}, which isn't public and isn't listed in [box] ${setting}.`;
  return { kind: 'refused', why };
}

export type Address = { readonly address: string; readonly family: number };

/** Networks that aren't public: this machine, private networks and special uses (RFC 6890). */
const PRIVATE_V4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
];
const PRIVATE_V6: readonly (readonly [network: string, prefix: number])[] = [
  ['::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

const PRIVATE = new BlockList();
for (const [network, prefix] of PRIVATE_V4) {
  PRIVATE.addSubnet(network, prefix, 'ipv4');
  // The same network, seen through the translators of IPv6-only networks (RFC 6052).
  PRIVATE.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6');
}
for (const [network, prefix] of PRIVATE_V6) PRIVATE.addSubnet(network, prefix, 'ipv6');

/** Whether an address belongs to this machine or a private network, also in IPv6 notation for IPv4. */
export function isPrivate({ address, family }: Address): boolean {
  return PRIVATE.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Resolves a canonical host name. @throws The Node error when the name isn't known. */
async function addressesOf(host: string): Promise<readonly Address[]> {
  const address = host.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  return family === 0 ? lookup(address, { all: true, verbatim: true }) : [{ address, family }];
}
