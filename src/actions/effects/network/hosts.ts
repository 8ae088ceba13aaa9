import type { NetworkEffect } from '../effect.ts';

export const LOCAL =
  /^(?:localhost|127(?:\.\d+){0,3}|0(?:\.0){0,3}|\[?::1\]?|[\w-]+\.(?:localhost|local|test|internal)|host\.docker\.internal|)$/i;
/** Where package managers and toolchains get what they install, and where repositories lie. */
export const REGISTRY =
  /(?:^|\.)(?:npmjs\.(?:org|com)|yarnpkg\.com|pypi\.org|pythonhosted\.org|crates\.io|rust-lang\.org|golang\.org|go\.dev|rubygems\.org|maven\.org|gradle\.org|nuget\.org|packagist\.org|getcomposer\.org|hex\.pm|jsr\.io|deno\.(?:land|com)|nodejs\.org|debian\.org|ubuntu\.com|docker\.(?:io|com)|ghcr\.io|quay\.io|github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|codeberg\.org|pytorch\.org|anaconda\.(?:com|org)|conda\.io|nvidia\.com)$/i;

/** The host that an address names: `https://user@host:443/path`, `host:port/path`, `user@host:path`; `null`: none. */
export function hostOf(address: string): string | null {
  const [, host] =
    /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[^/@\s]*@)?(\[[^\]]*\]|[\w.-]+)/i.exec(address.trim()) ?? [];
  if (host === undefined || host === '') return /^:\d|^:\//.test(address) ? 'localhost' : null;
  return host.toLowerCase();
}

/** A request of which nothing more is known than where it goes. */
export function networkEffect(
  by: string,
  host: string | null = null,
  more: Partial<Pick<NetworkEffect, 'direction' | 'reach' | 'sends'>> = {},
): NetworkEffect {
  const reach = host !== null && LOCAL.test(host) ? 'local' : 'external';
  return { ...{ kind: 'network', by, direction: 'in', host, reach, sends: 'nothing' }, ...more };
}

/** What a tool of the agent asks the network for: an address, or the words of a search. */
export function requestEffect(by: string, asked: string): NetworkEffect {
  return networkEffect(by, /^\S+$/.test(asked) && /[.:]/.test(asked) ? hostOf(asked) : null);
}
