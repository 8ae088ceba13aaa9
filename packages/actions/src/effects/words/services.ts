import { destroys, disablesProtection, publishes, type WordRule } from './call-words.ts';

/** Verbs of remote services that remove something: `delete-stack`, `apps:destroy`. */
const REMOVES =
  /(?:^|\s)(?:[\w:.-]*[:_.-])?(?:(?:user|group|role)del|delete|deleteall|destroy|purge|terminate|deprovision|decommission|wipe|erase|drop|truncate|remove|rmr?|rmdir|rb|uninstall|undeploy|unregister|deregister|undefine|unsubscribe|revoke|detach|evict|forget|prune|del|nuke|teardown|clear|removenode|delzone|unlist|unset|unpublish|empty|obliterate|reset-all)(?:[:_.-][\w:.-]*)?(?=\s|$)/i;

export const SERVICES: readonly WordRule[] = [
  { programs: 'aws', verbs: /^s3 (?:rm|rb)\b/, unless: /--dryrun/, does: destroys('remote') },
  {
    programs: 'aws',
    verbs: /^s3 (?:sync|mv)\b/,
    line: /--delete\b| mv /,
    unless: /--dryrun/,
    does: destroys('remote'),
  },
  {
    programs: 'aws',
    verbs:
      /^[\w-]+ (?:(?:batch-|admin-|force-)?(?:delete|terminate|purge|deregister|remove|schedule-\w+-deletion|revoke|reset|reboot|disable|stop|release|destroy|discard|detach|disassociate|deactivate|unsubscribe|leave|close|cancel|failover|put-bucket-lifecycle)\b)/,
    does: destroys('remote'),
  },
  {
    programs: 'aws gsutil gcloud az rclone',
    line: /(?:^|[\s'"])--(?:remove|delete(?:-\S*)?(?:=true)?)(?=$|[\s'"])|^(?:-m )?rsync\b.*\s-\w*d/,
    unless: /--dry|^(?:-m )?rsync\b.*\s-\w*n/,
    does: destroys('remote'),
  },
  {
    programs: 'gcloud az gsutil rclone glab heroku vercel netlify firebase fly flyctl serverless sls etcdctl',
    verbs: REMOVES,
    // Only settings of this machine change.
    unless: /--dry|^config (?:unset|configurations delete)\b/,
    does: destroys('remote'),
  },
  { programs: 'kafka-topics kafka-topics.sh', line: /--delete\b/, does: destroys('remote') },
  {
    programs: 'rsync',
    line: /(?:^|\s)--(?:delete|del|remove-source-files)[\w-]*(?=\s|$).*\s[^\s:]+:\S*$/,
    unless: /(?:^|\s)(?:-\w*n\w*|--dry-run)(?=\s|$)|:\S* [^:]*$/,
    does: destroys('remote'),
  },
  {
    programs: 'rclone',
    verbs: /^(?:sync|move|moveto|rmdirs?|cleanup|dedupe)\b/,
    unless: /--dry-run|(?:^|\s)-\w*n/,
    does: destroys('remote'),
  },
  {
    programs: 'kubectl oc',
    verbs: /^(?:delete|drain|cordon|adm (?:prune|drain|cordon))\b|(?:^|\s)(?:-n \S+ )?delete\b/,
    unless: /--dry-run=(?:client|server)|\bauth can-i\b|^config\b/,
    does: destroys('remote'),
  },
  {
    programs: 'kubectl oc',
    line: /finalizers\W{1,6}(?:null|\[\s*\])|--replicas[= ]0\b|\breplace\b.*--force|\bapply\b.*--prune|\btaint\b.*:NoExecute(?!-)/,
    does: destroys('remote'),
  },
  // `helm repo` changes a list on this machine only.
  { programs: 'helm', verbs: REMOVES, unless: /--dry|^repo\b/, does: destroys('remote') },
  {
    programs: 'terraform tofu',
    verbs:
      /^(?:destroy|taint|force-unlock|state (?:rm|push|replace-provider)|workspace delete|run-all destroy|destroy-all)/,
    does: destroys('remote'),
  },
  {
    programs: 'terraform tofu',
    line: /(?:^|\s)(?:apply|plan\b.*-out)\b.*\s-{1,2}destroy\b|(?:^|\s)plan\b.*\s-{1,2}destroy\b.*\s-{1,2}out\b/,
    does: destroys('remote'),
  },
  {
    programs: 'docker podman nerdctl',
    verbs:
      /(?:^|\s)(?:prune|swarm leave|(?:stack|service|node|secret|config) (?:rm|remove)|stack down|volume (?:rm|remove)|machine rm|system reset)(?:\s|$)/,
    does: destroys('local'),
  },
  {
    programs: 'docker podman nerdctl',
    verbs: /^(?:rm|rmi|stop|kill|container (?:rm|stop|kill)|image rm)\b.*[\uE000\uE001]/,
    does: destroys('local'),
  },
  {
    programs: 'docker podman docker-compose',
    line: /\bdown\b.*\s(?:-\w*v\w*|--volumes)(?:\s|$)|\brm\b.*\s-\w*v/,
    unless: /^(?:rm|run|exec|container)\b/,
    does: destroys('local'),
  },
  {
    programs: 'gh',
    verbs:
      /^(?:repo (?:delete|archive|rename)|(?:release|secret|variable|gist|issue|label|ssh-key|gpg-key|project|ruleset|codespace|cache|run) (?:delete|remove|rm)|workflow disable)/,
    does: destroys('remote'),
  },
  { programs: 'gh glab', line: /^api\b.*(?:-X ?|--method[= ])DELETE\b/i, does: destroys('remote') },
  {
    programs: 'gh',
    line: /^api\b.*(?:-X ?|--method[= ])(?:PUT|POST|PATCH)\b.*\/protection\b/i,
    does: disablesProtection,
  },
  { programs: 'gh', line: /^repo edit\b.*--visibility[= ]public\b/, does: publishes },
  { programs: 'gh glab', line: /^(?:pr|mr) merge\b.*--admin/, does: disablesProtection },
  { programs: 'gh', line: /^release create\b/, does: publishes },
];
