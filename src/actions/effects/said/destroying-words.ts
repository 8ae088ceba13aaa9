/** Words by which tools that manage what lies elsewhere say that something goes: `delete-stack`, `apps:destroy`. */
export const REMOVES =
  /(?:^|\s)(?:[\w:.-]*[:_.-])?(?:(?:user|group|role)del|delete|deleteall|destroy|purge|terminate|deprovision|decommission|wipe|erase|drop|truncate|remove|rmr?|rmdir|rb|uninstall|undeploy|unregister|deregister|undefine|unsubscribe|revoke|detach|evict|forget|prune|del|nuke|teardown|clear|removenode|delzone|unlist|unset|unpublish|empty|obliterate|reset-all)(?:[:_.-][\w:.-]*)?(?=\s|$)/i;
/** Words by which a program of which nothing is known says that it destroys something. */
export const SURELY_DESTROYS =
  /^(?:[\w.:-]+ ){0,2}(?:[\w.:-]*[.:_-])?(?:delete|destroy|purge|terminate|drop|wipe|truncate|nuke|teardown|deregister|unregister|deprovision|decommission|undeploy|deleteall|destroyall|removeall)(?:[:_-][\w:-]*)?(?=\s|$)/i;

/** Names of programs that do it themselves: `k3s-uninstall.sh`. */
export const DESTROYER = /(?:^|[-_.])(?:uninstall|destroy|purge|wipe|nuke|teardown)(?:[-_.]\w+)?$/i;

/** The same behind the name of what it is about: `orb unlist`, `plugins remove`. Alone such a word says too little. */
export const DESTROYS_NAMED =
  /^(?!cache|caches)[\w.:-]+ (?:[\w.:-]+ )?(?:remove|rm|revoke|reset|unlist|uninstall|flush|evict|expire)(?=\s|$)/i;

/** Names of programs that manage a service, and the words that destroy something there. */
export const MANAGER = /(?:ctl|adm|admin|[-_.]cli|-plugins?)$/i;
export const MANAGER_DESTROYS =
  /^(?:remove|rm|revoke|reset|unlist|uninstall|flush|evict|expire|disable|clear|drop|unregister)(?:[:_-][\w:-]*)?(?=\s|$)/i;
