import { section, strings } from 'ralph-kit/settings-section';
import * as z from 'zod/mini';
import { parseHostEntry } from './hosts.ts';

const HostText = z.string().check(({ value, issues }) => {
  const parsed = parseHostEntry(value);
  if (!parsed.ok) issues.push({ code: 'custom', message: `expected ${parsed.problem}`, input: value });
});
const Network = z.union([z.enum(['on', 'off']), z.array(HostText)]);

/** `[box]`: what programs of others see, write and reach (docs/BOX.md). */
export const BoxSettings = section({
  /** `auto`: the strongest isolation that works on this machine; `require`: nothing runs without a full box. */
  mode: z._default(z.enum(['auto', 'require', 'off']), 'auto'),
  /** Paths in the checkout that agents and gates see although they are neither committed nor ignored. */
  seed: z._default(strings, []),
  /** Writable paths beside the work tree: absolute, `~/…`, or relative to the repository. */
  writable: z._default(strings, []),
  /** Paths of the home folder, and other hidden ones, that are shown read-only. */
  readable: z._default(strings, []),
  hide: z._default(strings, []),
  sockets: z._default(strings, []),
  /** Hosts that agents and their processes reach: every host, only this box, or the listed hosts. */
  network: z._default(Network, 'on'),
  /** Hosts that gates, set-up commands and your hooks reach. Absent: those of `network`. */
  gate_network: z.optional(Network),
  /** Allows the sockets of Docker and podman: a program that reaches them can leave the box. */
  docker: z._default(z.boolean(), false),
});
export type BoxSettings = z.infer<typeof BoxSettings>;
