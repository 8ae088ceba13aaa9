import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

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

const PRIVATE = privateNetworks();

function privateNetworks(): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of PRIVATE_V4) {
    list.addSubnet(network, prefix, 'ipv4');
    // The same behind the translators of networks that have IPv6 alone (RFC 6052).
    list.addSubnet(`64:ff9b::${network}`, 96 + prefix, 'ipv6');
  }
  for (const [network, prefix] of PRIVATE_V6) list.addSubnet(network, prefix, 'ipv6');
  return list;
}

/** Whether an address is one of this machine or of a private network; one of IPv4 may be written as one of IPv6. */
export function isPrivate({ address, family }: Address): boolean {
  return PRIVATE.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** Where a host lies, by its canonical name. @throws The Node error when the name isn't known. */
export async function addressesOf(host: string): Promise<readonly Address[]> {
  const address = host.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  return family === 0 ? lookup(address, { all: true, verbatim: true }) : [{ address, family }];
}
