import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { type Followed, sendStates } from '../../../src/io/serve/send-states.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A stream whose state is a number and much text; `renew` says that there is a newer one. */
async function following(text: string) {
  let state = 0;
  let sent: ServerResponse | null = null;
  let renew: () => void = () => undefined;
  const followed: Followed = {
    make: async () => `${state} ${text}`,
    stop: () => undefined,
    apartMs: 0,
  };
  const server = createServer((_, response) => {
    sent = response;
    void sendStates(response, followed, (call) => {
      renew = call;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
  ends.push(() => reader.destroy());
  reader.setEncoding('utf8').write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  return {
    reader,
    /** Number of bytes that wait in memory for the reader. */
    waiting: () => (sent as ServerResponse | null)?.writableLength ?? 0,
    next: () => {
      state += 1;
      renew();
    },
  };
}

/** Resolves when the reader got a text. */
async function got(reader: NodeJS.ReadableStream, text: string): Promise<void> {
  let end = '';
  for await (const part of reader as AsyncIterable<string>) {
    end = end.slice(-text.length) + part;
    if (end.includes(text)) return;
  }
}

describe('states that are sent', () => {
  it('go to a reader at once, and again at each new one', async () => {
    const { reader, next } = await following('small');
    await got(reader, 'data: 0 small');
    const again = await following('small');
    again.next();
    await got(again.reader, 'data: 1 small');
    next();
  });

  it('are skipped by a reader that takes none, and the newest is there when it does', async () => {
    const size = 1_000_000;
    const { reader, next, waiting } = await following('x'.repeat(size));
    reader.pause();
    // What the system buffers of a connection is some megabytes.
    let state = 0;
    const renew = async () => {
      next();
      state += 1;
      // A round of timers, in which each state that may be made is made.
      await setTimeout(2);
    };
    while (waiting() < size / 2) await renew();
    for (let round = 0; round < 100; round += 1) {
      await renew();
      expect(waiting()).toBeLessThan(2 * size);
    }
    await got(reader, `data: ${state} x`);
  });
});
