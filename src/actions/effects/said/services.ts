import { ENDS, REMOVES, REMOVES_BY_CALL } from './destroying-words.ts';
import { destroys, goesAround, publishes, type Saying, system } from './words.ts';

const CLOUDS =
  'gcloud az doctl oci ibmcloud linode-cli hcloud scw openstack heroku fly flyctl vercel netlify railway render dokku cf eb amplify firebase supabase wrangler fastly exo vultr-cli civo upctl aliyun tccli neonctl turso pscale atlas confluent databricks snow ldcli stripe sentry-cli datadog-ci pd newrelic cloudflared flarectl algolia apigeecli deck grafanactl grafana-cli circleci kong elasticsearch-plugin elasticsearch-users elasticsearch-keystore proxmox-backup-client opensearch-plugin kibana-plugin logstash-plugin twilio travis buildkite-agent jenkins-cli cloudflare-cli meilisearch typesense-cli wp drush b2 azcopy ossutil coscli swift limactl colima';
const CLUSTERS =
  'istioctl argocd flux nomad linkerd cilium eksctl kops kind minikube k3d k3s rke talosctl kubeadm rancher velero pulumi cdk serverless sls sam copilot-cli terragrunt vagrant multipass lxc virsh juju nerdctl-compose';
const STORES =
  'mlflow aws-vault zkcli vault consul etcdctl zkCli zkCli.sh zookeeper-shell rabbitmqctl rabbitmq-plugins nodetool rabbitmqadmin nats pulsar-admin rpk mc s3cmd s5cmd rclone restic borg kopia duplicity op doppler bw infisical chamber glab hub influx elasticdump bq gsutil';
const KAFKA = 'topics consumer-groups configs acls delete-records streams-application-reset'
  .split(' ')
  .flatMap((tool) => [`kafka-${tool}`, `kafka-${tool}.sh`])
  .join(' ');

/** What lies at providers, in clusters and in stores: no checkpoint brings it back. */
export const SERVICES: readonly Saying[] = [
  { programs: 'pulumi', verbs: /^(?:down|dn|cancel)\b/, does: destroys('remote') },
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
      /^[\w-]+ (?:(?:batch-|admin-|force-)?(?:delete|terminate|purge|deregister|remove|schedule-\w+-deletion|revoke|reset|reboot|disable|stop|release|destroy|discard|detach|disassociate|deactivate|unsubscribe|leave|close|cancel|failover|put-bucket-lifecycle)\b)/,
    does: destroys('remote'),
  },
  {
    programs: 'aws',
    line: /--(?:max-size|desired-capacity|desired-count)[= ]0\b|--force-delete-without-recovery/,
    does: destroys('remote'),
  },
  {
    programs: 'aws',
    line: /\bput-bucket-versioning\b.*Status\W{1,4}Suspended|\bchange-resource-record-sets\b.*Action\W{1,4}DELETE/i,
    does: destroys('remote'),
  },
  {
    programs:
      'gcloud az doctl oci ibmcloud linode-cli hcloud scw openstack heroku fly flyctl render vercel netlify flux argocd deck firebase circleci travis stripe ldcli kubeadm talosctl rancher confluent databricks eb amplify exo upctl civo vultr-cli grafanactl fastly',
    verbs: ENDS,
    unless: /^config\s|--dry/,
    does: destroys('remote'),
  },
  { programs: 'kong', verbs: ENDS, does: destroys('remote') },
  { programs: 'az', verbs: /\bkeys? renew\b/, does: destroys('remote') },
  { programs: 'packer', line: /^build\b.*\s-?-force\b/, does: destroys('remote') },
  {
    programs: 'gitlab-ctl',
    verbs: /^(?:stop|kill|cleanse|uninstall|remove-accounts)\b/,
    does: destroys('remote'),
  },
  { programs: 'gitlab-backup', verbs: /^restore\b/, does: destroys('remote') },
  { programs: 'travis', line: /^cache\b.*(?:--delete|-d\b)/, does: destroys('remote') },
  { programs: 'mc', verbs: /^undo\b/, does: destroys('remote') },
  { programs: 'wrangler', verbs: /^(?:d1 time-travel restore|rollback)\b/, does: destroys('remote') },
  { programs: 'fly flyctl', verbs: /^ips release\b/, does: destroys('remote') },
  { programs: 'hasura', verbs: /^metadata clear\b/, does: destroys('remote') },
  { programs: 'heroku', verbs: /^maintenance:on\b/, does: destroys('remote') },
  { programs: 'az', line: /^deployment\b.*--mode[= ]complete\b/i, does: destroys('remote') },
  { programs: 'varnishadm', line: /(?:^|\s)(?:ban|stop|vcl\.discard)\b/, does: destroys('remote') },
  { programs: 'ldapdelete', line: /(?:)/, does: destroys('remote') },
  { programs: 'ldapmodify', line: /delete/, does: destroys('remote') },
  { programs: 'tarsnap', line: /(?:^|\s)-\w*d|--nuke\b/, does: destroys('remote') },
  { programs: 'dvc', verbs: /^(?:gc|destroy)\b|^(?:remote|cache) remove\b/, does: destroys('remote') },
  { programs: 'nodetool', verbs: /^(?:clearsnapshot|assassinate|decommission)\b/, does: destroys('remote') },
  { programs: 'heroku fly flyctl', line: /\bscale\b.*(?:=0\b|\bcount 0\b)/, does: destroys('remote') },
  {
    programs: 'aws mc s3cmd s5cmd gsutil gcloud az azcopy b2 rclone lftp',
    line: /(?:^|[\s'"])--(?:remove|delete(?:-\S*)?(?:=true)?)(?=$|[\s'"])|^(?:-m )?rsync\b.*\s-\w*d/,
    unless: /--dry|^(?:-m )?rsync\b.*\s-\w*n/,
    does: destroys('remote'),
  },
  {
    programs: `${CLOUDS} ${CLUSTERS} ${STORES}`,
    verbs: REMOVES,
    // Settings of this machine.
    unless: /--dry|--check\b|^config (?:unset|configurations delete)\b/,
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
  { programs: 'nomad mlflow', verbs: /^(?:system )?gc\b/, does: destroys('remote') },
  {
    programs: 'dnscontrol octodns-sync',
    verbs: /^push\b|^$/,
    line: /^push\b|--doit\b/,
    does: destroys('remote'),
  },
  {
    programs: 'VBoxManage vboxmanage',
    line: /^(?:unregistervm|closemedium)\b.*--delete|\bsnapshot\b.*\bdelete\b/,
    does: destroys('remote'),
  },
  { programs: 'copilot', verbs: /^(?:app|env|svc|job|pipeline|task) delete\b/, does: destroys('remote') },
  {
    programs: 'sftp ftp lftp',
    line: /(?:^|[\s;"'])(?:rm|mrm|rmdir|mdelete|glob -\w* rm)\s|\bmirror\b.*--(?:delete|Remove)/,
    does: destroys('remote'),
  },
  {
    programs: 'vault',
    verbs:
      /^(?:operator (?:seal|rekey|raft)|secrets (?:disable|move)|(?:auth|audit) disable|lease revoke|token revoke|kv (?:destroy|delete|metadata (?:delete|put)))/,
    does: destroys('remote'),
  },
  { programs: 'consul', verbs: /^(?:leave|force-leave)/, does: destroys('remote') },
  { programs: 'etcdctl consul', verbs: /^snapshot restore|^auth disable/, does: destroys('remote') },
  {
    programs: 'rabbitmqctl',
    verbs: /^(?:reset|force_reset|close_\w+|forget_\w+|delete_\w+|purge_\w+|clear_\w+|stop\w*)/,
    does: destroys('remote'),
  },
  {
    programs: KAFKA,
    line: /--(?:delete|remove|reset-offsets|offset-json-file|application-id)\b/,
    does: destroys('remote'),
  },
  {
    programs: 'rsync',
    line: /(?:^|\s)--(?:delete|del|remove-source-files)[\w-]*(?=\s|$).*\s[^\s:]+:\S*$/,
    unless: /(?:^|\s)(?:-\w*n\w*|--dry-run)(?=\s|$)|:\S* [^:]*$/,
    does: destroys('remote'),
  },
  {
    programs: 'java',
    verbs:
      /cli\S*\.jar (?:\S+ )*(?:safe-)?(?:delete|destroy|purge|remove|disable|quiet|shutdown|clear)[\w-]*(?=\s|$)/,
    does: destroys('remote'),
  },
  {
    programs: 'hdfs hadoop',
    line: /(?:^|\s)-(?:rmr?|rmdir|expunge|format|delete\w*)\b/,
    does: destroys('remote'),
  },
  { programs: 'splunk', verbs: /^(?:clean|remove|disable|stop)\b/, does: destroys('remote') },
  { programs: 'rndc unbound-control', verbs: /^(?:stop|halt|delzone|flush)/, does: destroys('remote') },
  { programs: 'nginx haproxy', line: /(?:^|\s)-s ?(?:stop|quit)\b|(?:^|\s)-(?:sf|st)\b/, does: system },
  {
    programs: 'apachectl apache2ctl httpd caddy squid',
    line: /\b(?:stop|graceful-stop|shutdown)\b/,
    does: system,
  },
  { programs: 'supervisorctl', verbs: /^(?:stop|shutdown|remove)\b/, does: system },
  { programs: 'pm2', verbs: /^(?:kill|(?:delete|stop) all)\b/, does: system },
  {
    programs: 'restic borg',
    line: /\b(?:forget|prune|compact|recreate|break-lock|key (?:remove|delete))\b|\bunlock\b.*--remove-all|\bcache\b.*--cleanup/,
    unless: /(?:^|\s)(?:--dry-run|-n)(?:\s|$)/,
    does: destroys('remote'),
  },
  {
    programs: 'rclone',
    verbs: /^(?:sync|move|moveto|delete|deletefile|purge|rmdirs?|cleanup|dedupe)\b/,
    unless: /--dry-run|(?:^|\s)-\w*n/,
    does: destroys('remote'),
  },
  { programs: 'gitlab-runner', verbs: /^(?:unregister|uninstall|stop)/, does: destroys('remote') },

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
  { programs: 'helm', verbs: /^(?:un|del)\b/, does: destroys('remote') },
  { programs: 'helm', line: /^upgrade\b.*--force\b/, does: destroys('remote') },
  // Repositories are a list on this machine.
  { programs: 'helm', verbs: REMOVES, unless: /--dry|^repo\b/, does: destroys('remote') },
  { programs: `${CLOUDS} aws`, verbs: REMOVES_BY_CALL, unless: /--dry/, does: destroys('remote') },
  { programs: 'istioctl flux linkerd', verbs: /^uninstall/, does: destroys('remote') },
  {
    programs: 'terraform tofu terragrunt',
    verbs:
      /^(?:destroy|taint|force-unlock|state (?:rm|push|replace-provider)|workspace delete|run-all destroy|destroy-all)/,
    does: destroys('remote'),
  },
  {
    programs: 'terraform tofu terragrunt',
    line: /(?:^|\s)(?:apply|plan\b.*-out)\b.*\s-{1,2}destroy\b|(?:^|\s)plan\b.*\s-{1,2}destroy\b.*\s-{1,2}out\b/,
    does: destroys('remote'),
  },
  { programs: 'ansible', line: /\bstate=absent\b/, does: destroys('remote') },
  {
    programs: 'ansible-playbook',
    line: /\bstate=absent\b|(?:--tags[= ]|-t ?)\S*(?:destroy|teardown|purge|wipe)/,
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
    programs: 'podman',
    line: /^(?:pod |container )?(?:rm|stop|kill|rmi|image rm|volume rm)\b.*\s(?:-\w*a\w*|--all)(?=\s|$)/,
    does: destroys('local'),
  },
  {
    programs: 'docker podman docker-compose',
    line: /\bdown\b.*\s(?:-\w*v\w*|--volumes)(?:\s|$)|\brm\b.*\s-\w*v/,
    unless: /^(?:rm|run|exec|container)\b/,
    does: destroys('local'),
  },
  { programs: 'docker-compose', line: /^(?:\S+ )*rm\b.*\s-\w*v/, does: destroys('local') },
  { programs: 'buildah', line: /^(?:rm|rmi|prune)\b.*\s(?:-a\w*|--all)\b/, does: destroys('local') },
  { programs: 'crictl ctr', verbs: /^(?:rmi?|rmp|images? rm)\b/, does: destroys('local') },
  { programs: 'minikube', verbs: /^delete/, does: destroys('local') },

  {
    programs: 'gh',
    verbs:
      /^(?:repo (?:delete|archive|rename)|(?:release|secret|variable|gist|issue|label|ssh-key|gpg-key|project|ruleset|codespace|cache|run) (?:delete|remove|rm)|workflow disable)/,
    does: destroys('remote'),
  },
  { programs: 'gh glab', line: /^api\b.*(?:-X ?|--method[= ])DELETE\b/i, does: destroys('remote') },
  {
    programs: 'gh glab',
    line: /^api\b.*\bmutation\b.*\b(?:delete|remove|archive)[A-Z]/,
    does: destroys('remote'),
  },
  {
    programs: 'gh',
    line: /^api\b.*(?:-X ?|--method[= ])(?:PUT|POST|PATCH)\b.*\/protection\b/i,
    does: goesAround,
  },
  {
    programs: 'gh',
    line: /^api\b.*\/protection\b.*(?:-X ?|--method[= ])(?:PUT|POST|PATCH)\b/i,
    does: goesAround,
  },
  { programs: 'gh', line: /^repo edit\b.*--visibility[= ]public\b/, does: publishes },
  { programs: 'gh', line: /^repo sync\b.*--force\b/, does: destroys('remote') },
  { programs: 'gh', line: /^api\b.*git\/refs.*force=true/i, does: destroys('remote') },
  { programs: 'gh glab', line: /^(?:pr|mr) merge\b.*--admin/, does: goesAround },
  { programs: 'gh', line: /^release create\b/, does: publishes },
  { programs: 'hub', verbs: /^delete\b/, does: destroys('remote') },
];
