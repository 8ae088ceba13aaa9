import { publishes, type WordRule } from './call-words.ts';

const LIST =
  'npm pnpm yarn bun lerna nx changeset changesets cargo poetry uv flit hatch pdm jsr deno dart flutter gem sbt mix vsce ovsx mvn gradle gradlew mvnw rush semantic-release';

export const PUBLISHING: readonly WordRule[] = [
  {
    programs: LIST,
    verbs: /^(?:[\w:.-]+ ){0,2}(?:[\w.]+[.:])?publish(?:To\w+|Plugins)?(?=\s|$)/,
    unless: /--dry-run|^run\b|publishToMavenLocal/,
    does: publishes,
  },
  {
    programs: 'npm',
    verbs:
      /^(?:unpublish|deprecate|dist-tags? (?:add|rm|set)|owner (?:add|rm)|access (?!ls|list|get)|team (?:add|rm|create|destroy)|adduser|login|hook)/,
    does: publishes,
  },
  { programs: 'yarn', verbs: /^(?:npm (?:publish|tag add))/, does: publishes },
  { programs: 'cargo', verbs: /^(?:yank|owner)\b/, does: publishes },
  { programs: 'gem', verbs: /^(?:push|yank|owner)\b/, does: publishes },
  { programs: 'twine', verbs: /^(?:upload|register)/, does: publishes },
  { programs: 'mvn mvnw', verbs: /(?:^|\s)(?:deploy|release:perform)(?=\s|$)/, does: publishes },
  {
    programs: 'gradle gradlew',
    verbs: /(?:^|\s)(?:\S*:)?(?:publish\S*|uploadArchives|release)(?=\s|$)/,
    unless: /publishToMavenLocal/,
    does: publishes,
  },
  { programs: 'sbt', verbs: /(?:^|\s)(?:publish|publishSigned|release)(?=\s|$)/, does: publishes },
  { programs: 'mix', verbs: /^hex\.(?:publish|retire|owner)/, does: publishes },
  { programs: 'dotnet nuget', verbs: /^(?:nuget )?(?:push|delete)\b/, does: publishes },
  {
    programs: 'docker podman buildah nerdctl',
    verbs: /^(?:push|image push|manifest push|compose push)(?=\s|$)/,
    does: publishes,
  },
  { programs: 'docker', line: /^(?:buildx )?build\b.*\s--push\b/, does: publishes },
  { programs: 'helm', verbs: /^(?:push|cm-push)\b/, does: publishes },
  { programs: 'semantic-release np release-it', unless: /--dry-run|--preview/, does: publishes },
  { programs: 'vercel', line: /(?:^|\s)--prod\b/, does: publishes },
  { programs: 'firebase fly flyctl serverless sls', verbs: /^deploy/, does: publishes },
  { programs: 'netlify', line: /^deploy\b.*\s(?:--prod|-p)\b/, does: publishes },
  { programs: 'surge gh-pages', unless: /^(?:list|whoami)/, does: publishes },
];
