import type { EngineOutage } from '../../../src/emulator.js';
import { installComfyuiNode } from '../../peers/comfyui-node.js';
import { versionOf } from '../packages.js';
import { outcomeWord } from './judge-pool.js';
import { engines, jobs, playPool } from './play-pool.js';
import { type PoolClientName, poolClients } from './pool-clients.js';

/** Every outage that is played, besides none. */
const outages: readonly (readonly [what: string, outage: EngineOutage])[] = [
  ['an engine dies, and is back empty after 2 s', { on: 'engine', do: 'kill', atMs: 0, forMs: 2_000 }],
  ['an engine dies for good', { on: 'engine', do: 'kill', atMs: 0 }],
  ['an engine freezes for good', { on: 'engine', do: 'freeze', atMs: 0 }],
];

/** Plays the jobs with every pool that is there, and makes the table of what became of them. */
export const playPools = async (): Promise<readonly (readonly string[])[]> => {
  const comfyuiNode = await installComfyuiNode();
  const names = Object.keys(poolClients) as PoolClientName[];
  const isThere = (name: PoolClientName): boolean => name !== 'comfyui-node' || comfyuiNode !== undefined;
  const version = (name: PoolClientName): string =>
    name === 'comfyui-node' ? (comfyuiNode ?? 'could not be installed') : versionOf(name);
  const head = ['', ...names.map((name) => `${name} ${version(name)}`)];
  const speed: string[] = [`jobs a second, of ${engines * 2} at most`];
  const ordinary: string[] = [`${jobs} jobs on ${engines} engines`];
  for (const name of names) {
    const played = isThere(name) ? await playPool(name) : undefined;
    speed.push(played === undefined ? '' : (played.outcome.perSecond?.toFixed(1) ?? 'not all run'));
    ordinary.push(played === undefined ? '' : outcomeWord(played.outcome, played.hasCrashed));
  }
  const table = [head, speed, ordinary];
  for (const [what, outage] of outages) {
    const row = [what];
    for (const name of names) {
      const played = isThere(name) ? await playPool(name, outage) : undefined;
      row.push(played === undefined ? '' : outcomeWord(played.outcome, played.hasCrashed));
    }
    table.push(row);
  }
  for (const row of table) console.log(row.join(' | '));
  return table;
};
