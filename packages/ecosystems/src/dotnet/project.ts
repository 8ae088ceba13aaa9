import { type Found, type Project, type SeenFiles, testGate } from '../project.ts';

export const dotnet: Project = { name: 'dotnet', detect: dotnetGates };

function dotnetGates({ paths }: SeenFiles): Found | null {
  const top = [...paths].filter((path) => !path.includes('/'));
  if (top.some((path) => /\.(?:sln|slnx|csproj|fsproj|vbproj)$/i.test(path)))
    return { gates: [testGate('dotnet', 'dotnet test')], notes: [] };
  return null;
}
