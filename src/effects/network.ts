import type { NetworkEffect } from './effect.ts';

const LOCAL =
  /^(?:localhost|127(?:\.\d+){0,3}|0(?:\.0){0,3}|\[?::1\]?|[\w-]+\.localhost|host\.docker\.internal)$/i;

/** The host that an address names: `https://user@host:443/path`, `host:port/path`, `user@host:path`; `null`: none. */
export function hostOf(address: string): string | null {
  const [, host] =
    /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[^/@\s]*@)?(\[[^\]]*\]|[\w.-]+)/i.exec(address.trim()) ?? [];
  return host === undefined || host === '' ? null : host.toLowerCase();
}

export function isLocalHost(host: string): boolean {
  return LOCAL.test(host);
}

/** A request of which nothing more is known than where it goes. */
export function networkEffect(
  by: string,
  host: string | null = null,
  more: Partial<Pick<NetworkEffect, 'direction' | 'reach' | 'sends'>> = {},
): NetworkEffect {
  const reach = host !== null && isLocalHost(host) ? 'local' : 'external';
  return { ...{ kind: 'network', by, direction: 'in', host, reach, sends: 'nothing' }, ...more };
}

/** What a tool of the agent asks the network for: an address, or the words of a search. */
export function requestEffect(by: string, asked: string): NetworkEffect {
  return networkEffect(by, /^\S+$/.test(asked) && /[.:]/.test(asked) ? hostOf(asked) : null);
}
