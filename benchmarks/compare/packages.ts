import { readFileSync } from 'node:fs';
import type { ClientName } from './clients.js';

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

const lockOf = (name: ClientName): Lock =>
  JSON.parse(
    readFileSync(
      new URL(name === 'promptwire' ? '../../package-lock.json' : '../package-lock.json', import.meta.url),
      'utf8',
    ),
  ) as Lock;

const entryOf = (name: ClientName): string => (name === 'promptwire' ? '' : `node_modules/${name}`);

/** The version that is compared. */
export const versionOf = (name: ClientName): string => lockOf(name).packages[entryOf(name)]?.version ?? '';

/** How many packages an installation brings besides the client itself: dependencies and peers, and theirs. */
export const installedPackages = (name: ClientName): number => {
  const { packages } = lockOf(name);
  const found = new Set<string>();
  const open = [entryOf(name)];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const { dependencies, peerDependencies, peerDependenciesMeta } = packages[path] ?? {};
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (peer) => peerDependenciesMeta?.[peer]?.optional !== true,
    );
    for (const needed of [...Object.keys(dependencies ?? {}), ...peers]) {
      const nested = `${path}/node_modules/${needed}`;
      const place = nested in packages ? nested : `node_modules/${needed}`;
      if (found.has(place)) continue;
      found.add(place);
      open.push(place);
    }
  }
  return found.size;
};
