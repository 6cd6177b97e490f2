// Finds the folders of src that import each other in a circle, at every level, and fails where there are any.
import { join } from 'node:path';
import { cruise } from 'dependency-cruiser';

const { output } = await cruise(['src'], {
  doNotFollow: { path: 'node_modules' },
  exclude: { path: 'node_modules' },
  tsPreCompilationDeps: true,
  tsConfig: { fileName: 'tsconfig.json' },
});

/** By folder: what each of its folders imports of the others, with one import as the evidence. */
const levels = new Map();

/** Both paths from where they part: `{ parent, from, to }` with the folders below the parent, or undefined for a file beside them. */
const parting = (source, target) => {
  const [one, other] = [source.split('/').slice(0, -1), target.split('/').slice(0, -1)];
  const at = one.findIndex((part, index) => part !== other[index]);
  return at < 0 || other[at] === undefined
    ? undefined
    : { parent: one.slice(0, at).join('/'), from: one[at], to: other[at] };
};

for (const { source, dependencies } of output.modules)
  for (const { resolved } of dependencies) {
    const parted = resolved.startsWith('src/') ? parting(source, resolved) : undefined;
    if (parted === undefined) continue;
    const imports = levels.get(parted.parent) ?? new Map();
    levels.set(parted.parent, imports);
    const targets = imports.get(parted.from) ?? new Map();
    imports.set(parted.from, targets.set(parted.to, `${source} imports ${resolved}`));
  }

const reachable = (imports, from) => {
  const found = new Set(imports.get(from)?.keys());
  for (const name of found) for (const next of imports.get(name)?.keys() ?? []) found.add(next);
  return found;
};

for (const [parent, imports] of levels) {
  const inCircle = [...imports.keys()].filter((name) => reachable(imports, name).has(name));
  if (inCircle.length === 0) continue;
  console.error(`folders of ${parent} in a circle: ${inCircle.join(', ')}`);
  process.exitCode = 1;
  for (const from of inCircle)
    for (const [to, evidence] of imports.get(from))
      if (reachable(imports, to).has(from)) console.error(`  ${join(parent, from)} -> ${to}: ${evidence}`);
}
