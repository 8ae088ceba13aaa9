import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresConnection, PostgresQueueBackend, Queue, runMigrations, Worker } from 'bullmq';
import pg from 'pg';

/** Of all fleets of a database. */
const SCHEMA = 'ralph_fleet';
/** What isn't a job: small texts, some for a time by the server's clock. */
const NOTES = `
  select pg_advisory_xact_lock(hashtext('${SCHEMA}.note'));
  create table if not exists ${SCHEMA}.note (name text primary key, text text not null, until timestamptz);`;
const CHANNEL = SCHEMA;
/** Of a process, beside the one that listens. */
const CONNECTIONS = 2;
/** From one look whether it is back to the next, in milliseconds. */
const RETRY_MS = 500;
const LATER_MS = 500;
/** Making the schema takes as long as others make it. */
const MAKING_MS = 30_000;

/**
 * Where bullmq has the time of its machine among the parameters of a command. Leases compare times of several machines: one whose clock is ahead would take
 * every job from the others, and stop them from looking for lost ones. So they get the time of the server.
 */
const TIME_AT = { move_to_active: 3, extend_lock: 4, move_stalled_jobs_to_wait: 2 };
const SERVER_TIME = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now';

/** A Postgres: queries wait while it is away. @type {import('./server.d.ts').OpenServer} */
export async function openPostgres({ url, repository, answerMs, onEnded, onError, onReady }) {
  const key = (name) => `${repository}:${name}`;
  let isClosed = false;
  const sockets = new Set();
  /** After `close` no connection keeps the process: one whose network is silent never hears that the server ended it. */
  const stream = () => {
    const socket = new Socket();
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    return isClosed ? socket.unref() : socket;
  };
  const config = {
    stream,
    connectionString: url,
    // The server stops first: what it did for a connection that is gone would be lost.
    ...{ connectionTimeoutMillis: answerMs, statement_timeout: answerMs, query_timeout: answerMs + LATER_MS },
    ...{ keepAlive: true, keepAliveInitialDelayMillis: answerMs, application_name: 'ralph fleet' },
  };
  const connection = new PostgresConnection({ ...config, max: CONNECTIONS, schema: SCHEMA });
  connection.on('error', onError);
  const prepare = async () => {
    const client = new pg.Client({ ...config, statement_timeout: MAKING_MS, query_timeout: MAKING_MS });
    client.on('error', onError);
    try {
      await client.connect();
      await runMigrations(client, SCHEMA);
      await client.query(NOTES);
    } finally {
      void client.end().catch(() => undefined);
    }
  };
  let comingBack = null;
  /** Resolves once it is back, with all that it may have lost. */
  const isBack = () => {
    comingBack ??= (async () => {
      while (!isClosed) {
        await sleep(RETRY_MS);
        try {
          return await prepare();
        } catch (error) {
          onError(error);
        }
      }
    })().finally(() => {
      comingBack = null;
    });
    return comingBack;
  };
  const ask = async (text, values) => {
    for (;;) {
      try {
        const answer = await connection.pool.query(text, values);
        onReady();
        return answer;
      } catch (error) {
        if (isClosed || !(isAway(error) || isWiped(error))) throw error;
        onError(error);
        await isBack();
      }
    }
  };
  const rows = async (text, ...values) => (await ask(text, values)).rows;

  class Backend extends PostgresQueueBackend {
    query(text, values) {
      return ask(text, values);
    }
    async run(command, values) {
      const at = TIME_AT[command];
      if (at === undefined) return super.run(command, values);
      const [{ now }] = await rows(SERVER_TIME);
      return super.run(command, values.with(at, now));
    }
  }
  const backend = (name, options) => new Backend(connection, name, options, false);
  const queueName = (name) => `${repository} ${name}`;

  const listen = async () => {
    const client = await connection.getListenClient();
    client.on('notification', ({ payload = '' }) => {
      if (payload.startsWith(`${repository} `)) onEnded(payload.slice(repository.length + 1));
    });
    await client.query(`listen ${CHANNEL}`);
  };
  connection.on('listenerinvalidated', async () => {
    while (!isClosed) {
      await isBack();
      try {
        return await listen();
      } catch (error) {
        onError(error);
      }
    }
  });

  return {
    name: 'Postgres',
    connect: async () => {
      await prepare();
      await connection.waitUntilReady();
      await listen();
    },
    queue: (name) => new Queue(queueName(name), {}, backend),
    worker: (name, options) => new Worker(queueName(name), null, { ...options, connection: {} }, backend),
    addQueue: async (name) => {
      await rows(WRITE, key(`queue ${name}`), name, null);
    },
    queues: async () => texts(await rows(ALL, key('queue '))),
    read: async (name) => texts(await rows(READ, key(name)))[0] ?? null,
    write: async (name, text, forMs) => {
      await rows(WRITE, key(name), text, forMs);
    },
    remove: async (name) => {
      await rows(TAKE, key(name));
    },
    take: async (name) => texts(await rows(TAKE, key(name)))[0] ?? null,
    all: async (beginning) => texts(await rows(ALL, key(beginning))),
    keep: async (name, text, forMs) => (await rows(KEEP, key(name), text, forMs)).length === 1,
    giveUp: async (name, text) => {
      await rows(GIVE_UP, key(name), text);
    },
    tellEnded: async (id) => {
      await rows('select pg_notify($1, $2)', CHANNEL, `${repository} ${id}`);
    },
    facts: async () => {
      const [{ now, version, fsync, commit }] = await rows(FACTS);
      return {
        version,
        keeps: {
          isSure: fsync === 'on' && commit !== 'off',
          by: `fsync ${fsync}, synchronous_commit ${commit}`,
        },
        evicts: null,
        now: Number(now),
      };
    },
    close: async () => {
      isClosed = true;
      for (const socket of sockets) socket.unref();
      await connection.close();
    },
  };
}

const texts = (found) => found.map(({ text }) => text);
const UNTIL = `clock_timestamp() + $3::float8 * interval '1 millisecond'`;
const IS_THERE = '(until is null or until > clock_timestamp())';
const WRITE = `insert into ${SCHEMA}.note values ($1, $2, ${UNTIL})
  on conflict (name) do update set text = excluded.text, until = excluded.until`;
const READ = `select text from ${SCHEMA}.note where name = $1 and ${IS_THERE}`;
const ALL = `select text from ${SCHEMA}.note where starts_with(name, $1) and ${IS_THERE} order by name`;
const TAKE = `delete from ${SCHEMA}.note where name = $1 returning case when ${IS_THERE} then text end as text`;
const KEEP = `insert into ${SCHEMA}.note as old values ($1, $2, ${UNTIL})
  on conflict (name) do update set text = excluded.text, until = excluded.until
  where old.text = excluded.text or old.until <= clock_timestamp() returning name`;
const GIVE_UP = `delete from ${SCHEMA}.note where name = $1 and text = $2`;
const FACTS = `select (extract(epoch from clock_timestamp()) * 1000)::bigint as now, current_setting('server_version') as version,
  current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`;

/** It is down, it restarts, it takes too long, or it can't be reached. */
function isAway({ severity, code }) {
  return severity === undefined || /^(?:08|53|57)/.test(code);
}

/** A table, a function or the schema isn't there any more. */
function isWiped({ code }) {
  return ['42P01', '42883', '3F000', '42704'].includes(code);
}
