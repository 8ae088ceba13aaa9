/** Files that list commands which a program starts, whatever it is asked for. */
export type Listing = {
  readonly programs: RegExp;
  /** With one of these words; none: always. */
  readonly verbs?: RegExp;
  readonly files: readonly string[];
  /** Options that name the file. */
  readonly given: readonly string[];
  readonly read: (text: string) => readonly string[];
};

const PROCFILE = { files: ['Procfile', 'Procfile.dev'], given: ['-f', '--procfile'], read: procfile };
const PYPROJECT = ['pyproject.toml'];

export const LISTINGS: readonly Listing[] = [
  { programs: /^(?:foreman|honcho|goreman|forego|nf|overmind)$/, verbs: /^(?:start|s|run|)$/, ...PROCFILE },
  { programs: /^(?:hivemind|shoreman|prox)$/, ...PROCFILE },
  { programs: /^heroku$/, verbs: /^local/, ...PROCFILE },
  {
    programs: /^supervisor(?:d|ctl)$/,
    files: ['supervisord.conf', 'etc/supervisord.conf'],
    given: ['-c', '--configuration'],
    read: (text) => settings(text, /^command$/),
  },
  {
    programs: /^circusd$/,
    files: ['circus.ini'],
    given: [],
    read: (text) => settings(text, /^cmd$/),
  },
  {
    programs: /^pm2(?:-runtime|-dev)?$/,
    verbs: /^(?:start|restart|reload|startOrRestart|startOrReload|)$/,
    files: ['ecosystem.config.js', 'ecosystem.config.cjs', 'ecosystem.config.mjs', 'ecosystem.json'],
    given: [],
    read: ecosystem,
  },
  {
    programs: /^tox$/,
    files: ['tox.ini', 'setup.cfg', 'pyproject.toml', 'tox.toml'],
    given: ['-c', '--conf'],
    read: (text) => settings(text, /^commands(?:_pre|_post)?$/),
  },
  {
    programs: /^(?:poe|pdm|rye|hatch)$/,
    verbs: /^(?!version|new|lock)/,
    files: PYPROJECT,
    given: [],
    read: tomlTasks,
  },
  {
    programs: /^(?:mise|rtx)$/,
    verbs: /^(?:run|r|task|tasks|watch)$/,
    files: ['mise.toml', '.mise.toml', '.config/mise.toml'],
    given: [],
    read: tomlTasks,
  },
  { programs: /^pixi$/, verbs: /^run$/, files: ['pixi.toml', 'pyproject.toml'], given: [], read: tomlTasks },
  {
    programs: /^cargo$/,
    verbs: /^make$/,
    files: ['Makefile.toml'],
    given: ['--makefile'],
    read: tomlTasks,
  },
  {
    programs: /^(?:lefthook|pre-commit)$/,
    verbs: /^(?:run|try-repo)$/,
    files: ['lefthook.yml', '.lefthook.yml', '.pre-commit-config.yaml'],
    given: ['-c', '--config'],
    read: (text) => settings(text, /^(?:-\s*)?(?:run|entry)$/),
  },
];

/** `web: COMMAND` */
function procfile(text: string): readonly string[] {
  return [...text.matchAll(/^[\w.-]+:[ \t]+(.+)$/gm)].map(([, line = '']) => line);
}

/** Values of keys, in files of `key = value` or `key: value`, over several lines where these are indented. */
function settings(text: string, wanted: RegExp): readonly string[] {
  const found: string[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    const [, key, value = ''] = /^\s*((?:-\s*)?[\w.-]+)\s*[=:]\s*(.*)$/.exec(line) ?? [];
    if (key !== undefined) {
      isOpen = wanted.test(key);
      if (isOpen) found.push(...texts(value));
    } else if (isOpen && /^\s+\S/.test(line)) found.push(...texts(line.trim()));
  }
  return found.filter((line) => line !== '');
}

function texts(value: string): readonly string[] {
  const quoted = value.match(/"(?:\\.|[^"\\])*"|'[^']*'/g);
  return /^[["']/.test(value) && quoted !== null ? quoted.map((each) => each.slice(1, -1)) : [value];
}

const TASK_TABLE = /(?:^|\.)(?:tasks?|scripts)(?:\.|$)/;
/** Keys of a task that say something about it. */
const ABOUT =
  /^(?:desc\w*|help|env|cwd|dir|depends\w*|dependencies|alias\w*|sources|outputs|inputs|args|condition|category)$/;

/** Tasks in a file of TOML: the texts in tables of tasks; a command and its arguments as one line. */
function tomlTasks(text: string): readonly string[] {
  const found: string[] = [];
  let table = '';
  let key = '';
  const whole = text.replace(/("""|''')([\s\S]*?)\1/g, (_, __, inner: string) =>
    JSON.stringify(inner.trim().replaceAll('\n', '; ')),
  );
  for (const line of whole.split('\n')) {
    const [, named] = /^\s*\[+([^\]]+)\]+\s*(?:#.*)?$/.exec(line) ?? [];
    if (named !== undefined) {
      table = named.replace(/["'\s]/g, '');
      continue;
    }
    key = /^\s*["']?([\w.:-]+)["']?\s*=/.exec(line)?.[1] ?? key;
    if (!TASK_TABLE.test(table) || ABOUT.test(key)) {
      const [last] = found.slice(-1);
      if (key === 'args' && last !== undefined) found[found.length - 1] = [last, ...strings(line)].join(' ');
      continue;
    }
    found.push(...strings(line.replace(/^[^=]*=/, '')));
  }
  return found;
}

function strings(line: string): readonly string[] {
  return (line.match(/"(?:\\.|[^"\\])*"|'[^']*'/g) ?? []).map((each) =>
    each.slice(1, -1).replace(/\\(["\\])/g, '$1'),
  );
}

const LONGEST_APP = 2000;

/** Programs of pm2, each with its arguments. */
function ecosystem(text: string): readonly string[] {
  const apps = text.split(/["']?\bscript["']?\s*:/).slice(1);
  return apps.map((app) => {
    const [script = ''] = strings(app);
    const [, given = ''] =
      /["']?\bargs["']?\s*:\s*(\[[^\]]{0,400}\]|"[^"]{0,400}"|'[^']{0,400}')/.exec(
        app.slice(0, LONGEST_APP),
      ) ?? [];
    return [script, ...strings(given)].join(' ');
  });
}
