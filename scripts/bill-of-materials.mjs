/**
 * What of a lock file's bill of materials is in the package.
 * @param {object} all what `npm sbom --sbom-format cyclonedx` prints: all that is in the lock file, as needed for development
 * @param {{ name: string, version: string }[]} packed the packages in the build: dist/packages.json
 * @returns {object} the same document with these alone, as parts of the package
 * @throws where the lock file doesn't have one of them
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
