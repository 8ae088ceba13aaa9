import type { NetworkEffect } from '../effect.ts';

export const LOCAL =
  /^(?:localhost|127(?:\.\d+){0,3}|0(?:\.0){0,3}|\[?::1\]?|[\w-]+\.(?:localhost|local|test|internal)|host\.docker\.internal|)$/i;
export const REGISTRY =
  /(?:^|\.)(?:npmjs\.(?:org|com)|yarnpkg\.com|pypi\.org|pythonhosted\.org|crates\.io|rust-lang\.org|golang\.org|go\.dev|rubygems\.org|maven\.org|gradle\.org|nuget\.org|packagist\.org|getcomposer\.org|hex\.pm|jsr\.io|deno\.(?:land|com)|nodejs\.org|debian\.org|ubuntu\.com|docker\.(?:io|com)|ghcr\.io|quay\.io|github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|codeberg\.org|pytorch\.org|anaconda\.(?:com|org)|conda\.io|nvidia\.com)$/i;

/** Returns the host in `https://user@host:443/path`, `host:port/path` or `user@host:path`; `null` without one. */
export function hostOf(address: string): string | null {
  const [, host] =
    /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[^/@\s]*@)?(\[[^\]]*\]|[\w.-]+)/i.exec(address.trim()) ?? [];
  if (host === undefined || host === '') return /^:\d|^:\//.test(address) ? 'localhost' : null;
  return host.toLowerCase();
}

export function networkEffect(
  by: string,
  host: string | null = null,
  more: Partial<Pick<NetworkEffect, 'direction' | 'reach' | 'sends'>> = {},
): NetworkEffect {
  const reach = host !== null && LOCAL.test(host) ? 'local' : 'external';
  return { kind: 'network', by, direction: 'in', host, reach, sends: 'nothing', ...more };
}

/** Returns the request of an agent's web tool, which gets an address or words to search for. */
export function requestEffect(by: string, asked: string): NetworkEffect {
  return networkEffect(by, /^\S+$/.test(asked) && /[.:]/.test(asked) ? hostOf(asked) : null);
}
