const DROPS =
  /^\s*(?:drop\s+(?!temp|prepare)\w+\s+\S|reset\s+(?:master|slave|replica)\b|purge\s+(?:binary|master)\b|shutdown\b|truncate\b|alter\s+table\s+[^;]{1,200}\bdrop\b|optimize\s+table\b.*final\s+delete)/i;
const DELETES = /^\s*(?:with\b[^;]{0,2000}\)\s*)?delete\s+from\b/i;
const UPDATES = /^\s*update\s+\S+\s+set\b/i;
/** Matches a condition that excludes some rows. */
const NARROW = /\bwhere\b(?!\s*(?:\(?\s*(?:true|1\s*=\s*1|1|'1'\s*=\s*'1')\s*\)?)\s*(?:;|$))/i;

export function dropsData(text: string): boolean {
  const plain = text
    .replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')
    .replace(/'(?:[^']|'')*'/g, "''")
    .slice(0, 100_000);
  return plain.split(';').some((statement) => {
    const bare = statement.replace(/^\s*(?:begin|start transaction)\b\s*/i, '');
    if (DROPS.test(bare)) return true;
    return (DELETES.test(bare) || UPDATES.test(bare)) && !NARROW.test(bare);
  });
}

const STORE_DROPS =
  /\bdropDatabase\s*\(|\.drop(?:Indexes|Index)?\s*\(|\b(?:deleteMany|updateMany|remove)\s*\(\s*\{\s*\}|\bdrop(?:User|Role|AllUsers|AllRoles)\w*\s*\(|\bflush(?:all|db|_all)\b|\bdetach\s+delete\b|\b_drop(?:Database)?\(|^\s*(?:disable|drop|truncate|delete_all|drop_all)\s+'|\bdb\.shutdownServer\b/i;

export function dropsStore(text: string): boolean {
  return STORE_DROPS.test(text);
}

const ROW_DROPS =
  /\.(?:delete_all|destroy_all|drop_all|delete_collection|drop_table|drop_database)\b|::(?:truncate|drop(?:IfExists|AllTables)?)\s*\(|\.objects\.(?:all\(\)\.)?delete\(|->(?:truncate|delete)\(\s*\)|\.(?:truncate|destroyAll|deleteAll|dropAllSchemas|dropDatabase|dropSchema)\s*\(|\.deleteMany\s*\(\s*(?:\{\s*\})?\s*\)|\.sync\s*\(\s*\{\s*force\s*:\s*true|\.delete_many\s*\(\s*\{\s*\}|\brepo\.delete_all\b|\.flush(?:all|db)\s*\(/i;

export function dropsRows(text: string): boolean {
  return ROW_DROPS.test(text);
}
