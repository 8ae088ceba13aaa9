type Component = { readonly name: string; readonly version: string; readonly 'bom-ref': string };
export type Bill = {
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
  readonly metadata: { readonly component: Component };
};
export function billOf(
  all: object,
  packed: readonly { readonly name: string; readonly version: string }[],
): Bill;
