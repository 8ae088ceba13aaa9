import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { getProxyForUrl } from 'proxy-from-env';
import {
  canonicalHost,
  type Host,
  type HostEntry,
  isListed,
  isLoopback,
} from '../../../domain/box/network.ts';

export type Reach = {
  readonly entries: readonly HostEntry[];
  /** The key of `[box]` that lists them. */
  readonly setting: string;
  /** A host that isn't listed was asked for. */
  readonly onRefused: (host: Host) => void;
};

/** How a host is reached: directly at one of these addresses, or by your own proxy. */
type Route =
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'direct'; readonly addresses: readonly Address[] }
  | { readonly kind: 'proxy'; readonly proxy: URL };

/**
 * Judges a request. A name is resolved here and once, so that what is judged is what is connected to: a listed name that leads to
 * this machine or into a private network is refused, unless that address is listed, too. Behind your proxy, that one resolves.
 *
 * @param scheme By which of your variables the proxy is chosen.
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

/** An address as `lookup` gives it. */
export type Address = { readonly address: string; readonly family: number };

/** Networks that aren't the public one: this machine, its neighbours, and what is kept for special use (RFC 6890). */
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
  // The same behind the translators of networks that have IPv6 alone (RFC 6052).
  PRIVATE.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6');
}
for (const [network, prefix] of PRIVATE_V6) PRIVATE.addSubnet(network, prefix, 'ipv6');

/** Whether an address is one of this machine or of a private network; one of IPv4 may be written as one of IPv6. */
export function isPrivate({ address, family }: Address): boolean {
  return PRIVATE.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Where a host lies, by its canonical name. @throws The Node error when the name isn't known. */
async function addressesOf(host: string): Promise<readonly Address[]> {
  const address = host.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  return family === 0 ? lookup(address, { all: true, verbatim: true }) : [{ address, family }];
}
