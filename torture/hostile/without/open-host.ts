import { createRequire } from 'node:module';

type Call = { readonly kind: string; readonly name?: string; readonly index?: number };
type Module = { readonly default?: unknown } & Readonly<Record<string, unknown>>;
type Called = (input: unknown) => unknown;

/**
 * Replacement without the protection: modules are loaded from their own place at their first call, into ralph's own
 * process.
 */
export function openModuleHost({
  modules,
}: {
  readonly modules: { readonly paths: ReadonlyMap<string, string> };
}) {
  const loaded = new Map<string, Module>();
  const moduleAt = async (name: string): Promise<Module> => {
    const path = modules.paths.get(name) ?? name;
    const module = loaded.get(name) ?? (createRequire(path)(path) as Module);
    loaded.set(name, module);
    return module;
  };
  const rules = (module: Module | undefined) =>
    (module?.default ?? []) as { readonly name: string; readonly judge: Called }[];
  return {
    ask: async (name: string, call: Call, input: unknown) => {
      const module = await moduleAt(name);
      const listed = rules(module).map((rule) => ({ ...rule, judge: true }));
      const called = module[call.name ?? ''] as Called | undefined;
      return { kind: 'value', value: call.kind === 'rules' ? listed : await called?.(input) };
    },
    askNow: (name: string, { index = 0 }: Call, input: unknown) => ({
      kind: 'value',
      value: rules(loaded.get(name))[index]?.judge(input),
    }),
    close: async () => undefined,
  };
}
