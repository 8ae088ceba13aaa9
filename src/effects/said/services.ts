import { destroys, goesAround, publishes, type Saying } from './words.ts';

/** Words by which tools that manage what lies elsewhere say that something goes: `delete-stack`, `apps:destroy`. */
const REMOVES =
  /(?:^|\s)(?:[\w-]+[-:_.])*(?:delete|deleteall|delete-?all|destroy|purge|terminate|deprovision|wipe|erase|drop|remove|rm|rb|uninstall|unregister|deregister|prune|del)(?:[-:_.][\w-]+)*(?=\s|$)/i;

const CLOUDS =
  'gcloud az doctl oci ibmcloud linode-cli hcloud scw openstack heroku fly flyctl vercel netlify railway render dokku cf eb amplify firebase supabase wrangler fastly exo vultr-cli civo upctl aliyun tccli neonctl turso pscale atlas confluent databricks snow ldcli stripe sentry-cli datadog-ci pd newrelic cloudflared';
const CLUSTERS =
  'helm istioctl argocd flux nomad linkerd cilium eksctl kops kind minikube k3d k3s rke talosctl kubeadm rancher velero pulumi cdk serverless sls sam copilot-cli terragrunt vagrant multipass lxc virsh juju nerdctl-compose';
const STORES =
  'vault consul etcdctl zkCli.sh zookeeper-shell kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-configs kafka-acls kafka-delete-records rabbitmqctl rabbitmqadmin nats pulsar-admin rpk mc s3cmd s5cmd rclone restic borg kopia duplicity op doppler bw infisical chamber glab hub influx elasticdump bq gsutil';

/** What lies at providers, in clusters and in stores: no checkpoint brings it back. */
export const SERVICES: readonly Saying[] = [
  { programs: 'pulumi', verbs: /^(?:down|dn)\b/, does: destroys('remote') },
  { programs: 'netlify', verbs: /^api (?:delete|cancel|purge)/i, does: destroys('remote') },
  { programs: 'stripe', verbs: /\bcancel\b/, does: destroys('remote') },
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
      /^[\w-]+ (?:(?:batch-)?(?:delete|terminate|purge|deregister|remove|schedule-key-deletion|revoke|reset|disable|stop|release|destroy|discard|detach|put-bucket-lifecycle)\b)/,
    does: destroys('remote'),
  },
  {
    programs: 'aws',
    line: /--(?:max-size|desired-capacity|desired-count)[= ]0\b|--force-delete-without-recovery/,
    does: destroys('remote'),
  },
  {
    programs: `${CLOUDS} ${CLUSTERS} ${STORES}`,
    verbs: REMOVES,
    unless: /--dry|--check\b/,
    does: destroys('remote'),
  },
  {
    programs: 'heroku',
    verbs: /\bpg:reset|\b(?:addons|apps|pg|redis)[:\w]*(?:destroy|reset|promote)/,
    does: destroys('database'),
  },
  { programs: 'supabase', verbs: /^db reset/, does: destroys('database') },
  { programs: 'railway', verbs: /^down/, does: destroys('remote') },
  { programs: 'nomad', verbs: /^(?:job )?stop\b/, line: /-purge/, does: destroys('remote') },
  {
    programs: 'vault',
    verbs:
      /^(?:operator (?:seal|rekey|raft)|secrets (?:disable|move)|auth disable|lease revoke|token revoke|kv (?:destroy|delete|metadata (?:delete|put)))/,
    does: destroys('remote'),
  },
  { programs: 'consul', verbs: /^(?:leave|force-leave)/, does: destroys('remote') },
  { programs: 'etcdctl', verbs: /^snapshot restore/, does: destroys('remote') },
  {
    programs: 'rabbitmqctl',
    verbs: /^(?:reset|force_reset|delete_\w+|purge_\w+|clear_\w+|stop\w*)/,
    does: destroys('remote'),
  },
  {
    programs: 'kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-configs',
    line: /--(?:delete|reset-offsets)\b/,
    does: destroys('remote'),
  },
  { programs: 'restic', verbs: /\b(?:forget|prune)\b/, does: destroys('remote') },
  {
    programs: 'rclone',
    verbs: /^(?:sync|move|moveto|delete|deletefile|purge|rmdirs?|cleanup)\b/,
    unless: /--dry-run|(?:^|\s)-\w*n/,
    does: destroys('remote'),
  },
  { programs: 'velero', verbs: /\bdelete\b/, does: destroys('remote') },
  { programs: 'gitlab-runner', verbs: /^(?:unregister|uninstall|stop)/, does: destroys('remote') },

  {
    programs: 'kubectl oc',
    verbs: /^(?:delete|drain)\b|(?:^|\s)(?:-n \S+ )?delete\b/,
    unless: /--dry-run=(?:client|server)/,
    does: destroys('remote'),
  },
  {
    programs: 'kubectl oc',
    line: /--replicas[= ]0\b|\breplace\b.*--force|\bapply\b.*--prune/,
    does: destroys('remote'),
  },
  { programs: 'helm', verbs: /^(?:un|del)\b/, does: destroys('remote') },
  { programs: 'istioctl flux linkerd', verbs: /^uninstall/, does: destroys('remote') },
  {
    programs: 'terraform tofu terragrunt',
    verbs: /^(?:destroy|force-unlock|state (?:rm|push)|workspace delete|run-all destroy|destroy-all)/,
    does: destroys('remote'),
  },
  {
    programs: 'terraform tofu terragrunt',
    line: /^(?:apply|run-all apply)\b.*(?:^|\s)-{1,2}destroy\b/,
    does: destroys('remote'),
  },
  { programs: 'ansible', line: /\bstate=absent\b/, does: destroys('remote') },
  {
    programs: 'ansible-playbook',
    line: /\bstate=absent\b|--tags[= ]\S*(?:destroy|teardown|purge|wipe)/,
    does: destroys('remote'),
  },

  {
    programs: 'docker podman nerdctl',
    verbs:
      /(?:^|\s)(?:prune|swarm leave|stack rm|stack remove|stack down|volume (?:rm|remove)|system reset)(?:\s|$)/,
    does: destroys('local'),
  },
  {
    programs: 'docker podman nerdctl',
    verbs: /^(?:rm|rmi|stop|kill|container (?:rm|stop|kill)|image rm)\b.*[\uE000\uE001]/,
    does: destroys('local'),
  },
  {
    programs: 'podman',
    line: /^(?:pod )?(?:rm|stop|kill|volume rm)\b.*\s(?:-a|--all)\b/,
    does: destroys('local'),
  },
  {
    programs: 'docker podman docker-compose',
    line: /\bdown\b.*\s(?:-\w*v\w*|--volumes)(?:\s|$)|\brm\b.*\s-\w*v/,
    unless: /^(?:rm|run|exec|container)\b/,
    does: destroys('local'),
  },
  { programs: 'docker-compose', line: /^(?:\S+ )*rm\b.*\s-\w*v/, does: destroys('local') },
  { programs: 'crictl ctr', verbs: /^(?:rmi?|rmp|images? rm)\b/, does: destroys('local') },
  { programs: 'minikube', verbs: /^delete/, does: destroys('local') },

  {
    programs: 'gh',
    verbs:
      /^(?:repo (?:delete|archive|rename)|(?:release|secret|variable|gist|issue|label|ssh-key|gpg-key|project|ruleset|codespace|cache|run) (?:delete|remove|rm)|workflow disable)/,
    does: destroys('remote'),
  },
  { programs: 'gh', line: /^api\b.*(?:-X ?|--method[= ])DELETE\b/i, does: destroys('remote') },
  { programs: 'gh', line: /^api\b.*git\/refs.*force=true/i, does: destroys('remote') },
  { programs: 'gh glab', line: /^(?:pr|mr) merge\b.*--admin/, does: goesAround },
  { programs: 'gh', line: /^release create\b/, does: publishes },
  { programs: 'hub', verbs: /^delete\b/, does: destroys('remote') },
];

/** Words by which a program of which nothing is known says that it destroys something. */
export const SURELY_DESTROYS =
  /^(?:[\w.-]+ ){0,2}(?:[\w]+[-:_])*(?:delete|destroy|purge|terminate|drop|wipe|deleteall|destroyall)(?:[-:_][\w]+)*(?=\s|$)/i;

/** Names of programs that do it themselves: `k3s-uninstall.sh`. */
export const DESTROYER = /(?:^|[-_.])(?:uninstall|destroy|purge|wipe|nuke|teardown)(?:[-_.]\w+)?$/i;
