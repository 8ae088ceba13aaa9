/**
 * Returns the part of a lock file's bill of materials that is in the package.
 * @param {object} all Output of `npm sbom --sbom-format cyclonedx`: everything in the lock file, development tools
 * included
 * @param {{ name: string, version: string }[]} packed Packages in the build, from dist/packages.json
 * @returns {object} The same document with only these packages, as parts of ralph's package
 * @throws if the lock file lacks one of them
 */
export function billOf(all, packed) {
  const byId = new Map(
    all.components.map((component) => [`${component.name}@${component.version}`, component]),
  );
  const components = packed.map(({ name, version }) => {
    const component = byId.get(`${name}@${version}`);
    if (component === undefined)
      throw new Error(`${name} ${version} is in the build, and not in the lock file.`);
    const { properties: _, ...known } = component;
    return { ...known, scope: 'required' };
  });
  const refs = new Set(components.map((component) => component['bom-ref']));
  const top = all.metadata.component['bom-ref'];
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) }));
  const metadata = { ...all.metadata, component: { ...all.metadata.component, name: 'ralph-gold' } };
  return {
    ...all,
    metadata,
    components,
    dependencies: [{ ref: top, dependsOn: [...refs] }, ...dependencies],
  };
}
