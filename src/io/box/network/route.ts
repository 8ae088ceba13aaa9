import { getProxyForUrl } from 'proxy-from-env';
import {
  canonicalHost,
  type Host,
  type HostEntry,
  isListed,
  isLoopback,
} from '../../../domain/box/network.ts';
import { type Address, addressesOf, isPrivate } from './addresses.ts';

/** What a box reaches. */
export type Reach = {
  readonly entries: readonly HostEntry[];
  /** The key of `[box]` that lists them. */
  readonly setting: string;
  /** A host that isn't listed was asked for. */
  readonly onRefused: (host: Host) => void;
};

/** How a host is reached: directly at one of these addresses, or by your own proxy. */
export type Route =
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
