/** @module-tag rest */

import { once } from 'node:events';
import { cpSync, readFileSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { pageRepository } from '../../src/app/commands/page/repositories.ts';
import { always, claim, makeProject, type Project, withoutBox } from '../helpers/cli.ts';
import { eventually } from '../helpers/eventually.ts';
import { openGate } from '../helpers/open-gate.ts';
import { HOSTILE_TEXT } from '../helpers/page/hostile-text.ts';
import {
  type Answer,
  type Form,
  formFor,
  formsIn,
  type Site,
  saidIn,
  serveSite,
} from '../helpers/page/site.ts';
import { temporaryFolder } from '../helpers/repository.ts';

withoutBox();

const sites: Site[] = [];
afterEach(async () => {
  for (const { child, ended } of sites.splice(0)) {
    child.kill('SIGINT');
    await ended;
  }
});

async function serve(project: Project, ...args: string[]): Promise<Site> {
  const site = await serveSite(project, ...args);
  sites.push(site);
  return site;
}

const LIST = '# Plan\n\n## Tasks\n\n- [ ] **T-1** One\n- [ ] **T-2** Two\n';

/** Returns a project in which T-1 waits for a decision that needs no signature. */
async function waiting(files: Readonly<Record<string, string>> = {}): Promise<Project> {
  const one = makeProject({ '.ralph/PRD.md': LIST, ...files });
  await openGate(one.root, 'GATE-AP-RECOVERY', { taskId: 'T-1', title: 'One', recoveryAttempts: 3 });
  return one;
}

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Returns the path of a project on the page. */
function home(project: Project): string {
  return `/r/${pageRepository(project.root).id}/`;
}

type Attack = {
  readonly project: Project;
  readonly site: Site;
  readonly path: string;
  /** The form would approve G-1. */
  readonly form: Form;
};

async function ready(): Promise<Attack> {
  const project = await waiting();
  const site = await serve(project);
  await site.enter();
  const path = home(project);
  const { body } = await site.ask(`${path}choose?about=G-1`);
  return { project, site, path, form: formFor(body, 'decide', 'G-1', 'a') };
}

const decided = (project: Project) => project.json('approvals').decided as { option: string }[];

type Try = (attack: Attack) => Promise<Answer>;
const post =
  (
    change: (
      attack: Attack,
    ) => Partial<{ form: Record<string, string>; headers: Record<string, string | null> }>,
  ): Try =>
  (attack) => {
    const { form, headers = {} } = change(attack);
    return attack.site.ask(attack.form.path, { form: form ?? attack.form.fields, headers });
  };

/** These requests must decide nothing: what is tried, the status of the answer, and words in it. */
const ATTACKS: readonly (readonly [string, Try, number, RegExp])[] = [
  ['no token and no cookie', ({ site }) => site.other().ask('/'), 401, /Which token did ralph page print/],
  ['a repository without a cookie', ({ site, path }) => site.other().ask(path), 401, /Which token/],
  [
    'a wrong token',
    ({ site }) => site.other().enter('x'.repeat(43)),
    403,
    /This token isn(?:'|&#39;)t the one that the newest start/,
  ],
  ['the token in the path', ({ site }) => site.other().ask(`/${site.token}/`), 401, /Which token/],
  ['the token in the query', ({ site }) => site.other().ask(`/?token=${site.token}`), 401, /Which token/],
  ['an action without a cookie', post(() => ({ headers: { cookie: null } })), 401, /Which token/],
  ['a cookie that was made up', post(() => ({ headers: { cookie: 'ralph_0=x' } })), 401, /Which token/],
  [
    'a page elsewhere sends the form',
    post(() => ({ headers: { origin: 'https://evil.example' } })),
    403,
    /own page/,
  ],
  [
    'a page of another port',
    post(({ site }) => ({ headers: { origin: `http://127.0.0.1:${Number(site.url.port) + 1}` } })),
    403,
    /own page/,
  ],
  ['a form without an origin', post(() => ({ headers: { origin: null } })), 403, /own page/],
  ['a form of a file', post(() => ({ headers: { origin: 'null' } })), 403, /own page/],
  [
    'a name resolved to this machine',
    post(() => ({ headers: { host: 'evil.example', origin: 'http://evil.example' } })),
    403,
    /one of this machine/,
  ],
  [
    'a name that begins like one of this machine',
    ({ site }) => site.ask('/', { headers: { host: '127.0.0.1.evil.example' } }),
    403,
    /one of this machine/,
  ],
  [
    'GET for an action',
    ({ site, form }) => site.ask(`${form.path}?${new URLSearchParams(form.fields)}`),
    405,
    /sent by forms/,
  ],
  ['another method', ({ site, form }) => site.ask(form.path, { method: 'PUT' }), 405, /Only GET and POST/],
  ['no check', post(({ form }) => ({ form: { ...form.fields, check: '' } })), 409, /look again/],
  [
    'the check of another option',
    post(({ form }) => ({ form: { ...form.fields, choice: 'r' } })),
    409,
    /look again/,
  ],
  [
    'a request that is not there',
    post(({ form }) => ({ form: { ...form.fields, about: 'G-9' } })),
    409,
    /look again/,
  ],
  [
    'an action that is not there',
    post(({ form }) => ({ form: { ...form.fields, do: '__proto__' } })),
    409,
    /look again/,
  ],
  [
    'another repository',
    ({ site, form }) => site.ask('/r/0123456789abcdef/do', { form: form.fields }),
    404,
    /Not found/,
  ],
  ['a path out of the repositories', ({ site }) => site.ask('/r/..%2f..%2fetc%2fpasswd/'), 404, /Not found/],
  ['a folder in the place of a repository', ({ site }) => site.ask('/r/../../etc/passwd'), 404, /Not found/],
  [
    'a path in the place of a task',
    ({ site, path }) => site.ask(`${path}show?what=logs&about=..%2F..%2F..%2Fetc%2Fpasswd`),
    404,
    /Not found/,
  ],
  [
    'an option of a command in the place of a task',
    ({ site, path }) => site.ask(`${path}show?what=diff&about=--output%3Dx`),
    404,
    /Not found/,
  ],
  [
    'an option that decides, by GET',
    ({ site, path }) => site.ask(`${path}show?what=option&about=G-1&option=a`),
    404,
    /Not found/,
  ],
  ['a route that is not there', ({ site, path }) => site.ask(`${path}admin`), 404, /Not found/],
  [
    'a form of 100 KB',
    post(({ form }) => ({ form: { ...form.fields, text: 'x'.repeat(100_000) } })),
    413,
    /too long/,
  ],
  [
    'a form in another encoding',
    post(() => ({ headers: { 'content-type': 'text/plain' } })),
    415,
    /Only forms/,
  ],
];

describe('what decides nothing', () => {
  it('each attack has its answer, and the request stays open', async () => {
    const attack = await ready();
    for (const [name, attempt, status, words] of ATTACKS) {
      const answer = await attempt(attack);
      expect({ name, status: answer.status, body: answer.body }).toMatchObject({
        ...{ name, status },
        body: expect.stringMatching(words),
      });
    }
    expect(decided(attack.project)).toEqual([]);
    // The genuine form still decides.
    expect((await attack.site.ask(attack.form.path, { form: attack.form.fields })).status).toBe(303);
    expect(decided(attack.project)).toMatchObject([{ option: 'approve' }]);
  });

  it('the form of another session, although it is for the same request', async () => {
    const { project, site, form } = await ready();
    const other = site.other();
    await other.enter();
    expect(await other.ask(form.path, { form: form.fields })).toMatchObject({ status: 409 });
    expect(decided(project)).toEqual([]);
  });

  it('what is for one decision, sent twice', async () => {
    const { project, site, form } = await ready();
    expect(await site.ask(form.path, { form: form.fields })).toMatchObject({ status: 303 });
    const again = await site.ask(form.path, { form: form.fields });
    expect(again.status).toBe(409);
    expect(saidIn(again.body)).toContain('This was decided or has changed since the page was made.');
    expect(decided(project)).toHaveLength(1);
  });

  it('guidance sent twice, although the task is as it was', async () => {
    const { project, site, path } = await ready();
    const form = formFor((await site.ask(path)).body, 'guide', 'T-2');
    const fields = { ...form.fields, text: 'Use <b>integers</b>' };
    const sent = await Promise.all([1, 2].map(() => site.ask(form.path, { form: fields })));
    expect(sent.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    const listed = JSON.stringify(project.json('feedback', 'list'));
    expect(listed.split('Use <b>integers</b>')).toHaveLength(2);
  });

  it('two tabs at once, which decide differently', async () => {
    const { project, site, path, form } = await ready();
    const { body } = await site.ask(`${path}choose?about=G-1`);
    const other = formFor(body, 'decide', 'G-1', 'q');
    const answers = await Promise.all([form, other].map((one) => site.ask(one.path, { form: one.fields })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
    expect(decided(project)).toHaveLength(1);
  });

  it('a decision that was taken in a terminal meanwhile', async () => {
    const { project, site, form } = await ready();
    project.json('approvals', 'decide', 'G-1', 'abort');
    expect(await site.ask(form.path, { form: form.fields })).toMatchObject({ status: 409 });
    expect(decided(project)).toMatchObject([{ option: 'abort' }]);
  });

  it('a decision that needs a signature: the page names the command', async () => {
    const project = makeProject({ '.ralph/PRD.md': LIST });
    await openGate(project.root, 'GATE-AP-FALSE-POSITIVE', { taskId: 'T-1', patterns: ['test_skip'] });
    const site = await serve(project);
    await site.enter();
    const path = home(project);
    expect((await site.ask(path)).body).toContain('It needs your signature, which this command makes:');
    const { body } = await site.ask(`${path}choose?about=G-1`);
    expect(body).toContain('ralph approvals decide G-1 legitimate');
    expect(formsIn(body)).toEqual([]);
    const form = { do: 'decide', about: 'G-1', choice: 'l', check: 'x', text: 'fine' };
    const answer = await site.ask(`${path}do`, { form });
    expect(answer.status).toBe(403);
    expect(saidIn(answer.body)).toContain('G-1 needs your signature. Run: ralph approvals decide G-1');
    expect(decided(project)).toEqual([]);
  });

  it('a pause of a run that has ended', async () => {
    const project = makeProject({
      '.ralph/scenario.json': JSON.stringify({ steps: [{ do: [{ action: 'hang' }] }] }),
    });
    const run = project.start('run');
    const site = await serve(project);
    await site.enter();
    const path = home(project);
    const form = await eventually(async () => {
      const { body } = await site.ask(path);
      return formFor(body, 'pause');
    });
    project.ralph('stop', '--now');
    await run.ended;
    expect(await site.ask(form.path, { form: form.fields })).toMatchObject({ status: 409 });
  });
});

describe('the server', () => {
  it('takes the token of no earlier start, nor its cookies', async () => {
    const project = await waiting();
    const first = await serve(project);
    await first.enter();
    const port = first.url.port;
    first.child.kill('SIGINT');
    await first.ended;
    const second = await serve(project, 'page', '--port', port);
    expect(second.token).not.toBe(first.token);
    const late = await first.ask('/');
    expect(late.status).toBe(401);
    expect(late.body).toContain('This browser has the token of an earlier start of the page.');
    expect(await first.enter()).toMatchObject({ status: 403 });
  });

  it('gives a cookie that scripts and other sites have not, and keeps the token out of each page', async () => {
    const project = await waiting();
    const site = await serve(project);
    const { headers } = await site.enter();
    const [set] = headers['set-cookie'] ?? [];
    expect(set).toMatch(/^ralph_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    const path = home(project);
    const page = await site.ask(path);
    expect(page.body).not.toContain(site.token);
    expect(page.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; base-uri 'none'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'$/,
      ),
    });
  });

  it('behind a TLS proxy of yours takes its name alone, and the cookie is for TLS', async () => {
    const port = await freePort();
    const project = await waiting();
    const origin = 'https://ralph.example.org';
    const site = await serve(project, 'page', '--port', String(port), '--origin', origin);
    expect(String(site.url)).toBe(`${origin}/#token=${site.token}`);
    const behind = site.at(port);
    const enter = (headers: Record<string, string>) =>
      behind.ask('/enter', { form: { token: site.token }, headers });
    for (const host of ['ralph.example.org', `127.0.0.1:${port}`]) {
      const { status, headers } = await enter({ host, origin });
      expect({ host, status }).toEqual({ host, status: 303 });
      expect(headers['set-cookie']?.[0]).toMatch(/; Secure$/);
    }
    expect((await enter({ host: 'ralph.example.org', origin: 'http://ralph.example.org' })).status).toBe(403);
    expect((await enter({ host: 'other.example.org', origin })).status).toBe(403);
    for (const wrong of ['http://ralph.example.org', 'ralph.example.org', 'https://ralph.example.org/path'])
      expect(project.ralph('page', '--origin', wrong).code).toBe(2);
  });

  it('leaves nothing when it is killed, and the next start works', async () => {
    const project = await waiting();
    const first = await serveSite(project);
    first.child.kill('SIGKILL');
    await first.ended;
    const second = await serve(project);
    await second.enter();
    expect((await second.ask(home(project))).body).toContain('G-1');
    expect(project.ralph('approvals', 'decide', 'G-1', 'abort').code).toBe(0);
  });

  it('is there once: a second start names its address, and adds its repositories', async () => {
    const [project, other] = [await waiting(), await waiting()];
    const site = await serve(project);
    await site.enter();
    const second = other.ralph('page');
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining(String(site.url)) });
    const { status, body } = await site.ask('/');
    expect(status).toBe(200);
    expect(body).toContain(other.root);
  });

  it('works without scripts: the token by a form, an action by another, and what it did is said once', async () => {
    const project = await waiting();
    const site = await serve(project);
    const enter = await site.ask('/');
    expect(enter.body).toMatch(/<form id="enter" method="post" action="\/enter">/);
    // The page also accepts the whole address in place of its token.
    expect(await site.enter(String(site.url))).toMatchObject({ status: 303 });
    const path = home(project);
    expect((await site.ask(path)).body).toContain('waits for your decision');
    const { body } = await site.ask(`${path}choose?about=G-1`);
    const form = formFor(body, 'decide', 'G-1', 'a');
    const answer = await site.ask(form.path, { form: { ...form.fields, text: 'Keep the tests' } });
    expect(answer).toMatchObject({ status: 303, headers: { location: path } });
    expect(saidIn((await site.ask(path)).body)).toMatch(/G-1 \(T-1\): approve/);
    expect(saidIn((await site.ask(path)).body)).toBe('');
  });

  it('shows hostile titles, output and guidance as text', async () => {
    const titles = Object.values(HOSTILE_TEXT).map((text) => text.replaceAll(/\s+/g, ' '));
    const list = titles.map((title, at) => `- [ ] **T-${at + 1}** ${title}\n`).join('');
    const project = await waiting({ '.ralph/PRD.md': `# Plan\n\n## Tasks\n\n${list}` });
    const site = await serve(project);
    await site.enter();
    const path = home(project);
    const { body } = await site.ask(path);
    const [, style = '', rest = ''] = /<style>(.*?)<\/style>(.*)$/s.exec(body) ?? [];
    expect(style).not.toContain('<');
    const markup = rest.replace(/<script>.*?<\/script>/s, '').replaceAll(/"[^"]*"/g, '""');
    const tags = [...markup.matchAll(/<\/?([a-z0-9]+)/g)].map(([, tag]) => tag);
    const known =
      'head body a p div header h1 h2 h3 i strong bdi code nav ul li main section details summary form input button label textarea span fieldset legend footer html';
    expect([...new Set(tags)].filter((tag) => !known.split(' ').includes(tag ?? ''))).toEqual([]);
    expect(markup).not.toMatch(/<[a-z][^>]* on[a-z]+=/);
  });

  it('shows 200 repositories, and each of them', async () => {
    const one = await waiting();
    const folder = temporaryFolder();
    const dirs = Array.from({ length: 200 }, (_, at) => join(folder, `repository-${at}`));
    const plain = makeProject({ '.ralph/PRD.md': LIST });
    for (const dir of dirs) cpSync(plain.root, dir, { recursive: true });
    const site = await serve(one, 'page', ...dirs);
    await site.enter();
    const all = await eventually(async () => {
      const { body } = await site.ask('/');
      expect(body).not.toContain('Reading …');
      return [...body.matchAll(/href="(\/r\/[0-9a-f]{16}\/)"/g)].map(([, path]) => path ?? '');
    });
    expect(new Set(all).size).toBeGreaterThanOrEqual(200);
    const last = pageRepository(dirs.at(-1) ?? '').id;
    expect((await site.ask(`/r/${last}/`)).body).toContain('0 of 2 tasks done');
  });

  it('decides nothing where it serves a report alone', async () => {
    const done = always({ action: 'write', path: 'a.txt', content: 'a' }, claim('a.txt:1 it'));
    const project = makeProject({ '.ralph/scenario.json': done });
    expect(project.ralph('run').code).toBe(0);
    const site = await serve(project, 'report', '--serve');
    await site.enter();
    const path = home(project);
    expect(await site.ask('/')).toMatchObject({ status: 303, headers: { location: `${path}report` } });
    expect(formsIn((await site.ask(path)).body)).toEqual([]);
    expect(await site.ask(`${path}do`, { form: { do: 'guide_all', text: 'x' } })).toMatchObject({
      status: 405,
    });
    expect((await site.ask(`${path}report`)).body).toContain('1 of 1 task done');
  });

  it('listens at another address by a yes at a terminal alone', () => {
    const project = makeProject();
    for (const address of ['0.0.0.0', '::', '192.0.2.1', 'example.org']) {
      const { code, stderr } = project.ralph('page', '--listen', address);
      expect({ address, code }).toEqual({ address, code: 2 });
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain('travels in clear');
    }
  });

  it('keeps its address where only you can read it', async () => {
    const site = await serve(await waiting());
    const record = join(process.env.XDG_STATE_HOME ?? '', 'ralph', 'page.json');
    expect(JSON.parse(readFileSync(record, 'utf8')).url).toBe(String(site.url));
    expect((statSync(record).mode & 0o777).toString(8)).toBe('600');
  });
});
