import { testGate } from '../project.ts';
import type { Found, Project, SeenFiles } from '../protocol.ts';

export const dotnet: Project = { name: 'dotnet', detect: dotnetGates };

function dotnetGates({ paths }: SeenFiles): Found | null {
  const top = [...paths].filter((path) => !path.includes('/'));
  if (top.some((path) => /\.(?:sln|slnx|csproj|fsproj|vbproj)$/i.test(path)))
    return { gates: [testGate('dotnet', 'dotnet test')], notes: [] };
  return null;
}
