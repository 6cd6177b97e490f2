import { countedSubmission, largeSeed, submissions, takingService } from './written-bodies.js';
import { createClient, type Dialect, type Platform } from '../../../src/node.js';
import { createGateway, memoryEventLog, memoryJobIndex } from '../../../src/gateway.js';
import { expect, it } from 'vitest';
import { filePorts } from '../../../src/gateway-node.js';
import { createPool } from '../../../src/pool.js';
import { newFolder } from '../node/ports-in-a-folder.js';

const memory = () => ({ index: memoryJobIndex(), log: memoryEventLog() });
const baseUrl = 'http://service.test';
const oneClient = (dialect: Dialect) => (platform: Platform) => createClient({ baseUrl, dialect, platform });
const onePool = (platform: Platform) =>
  createPool({ servers: [{ baseUrl, dialect: 'local', platform, name: 'one', slots: 10 }] });

it.each([
  ['memory and a local service', memory, oneClient('local'), Object.keys(submissions)],
  ['memory and a service of API v2', memory, oneClient('v2'), ['API v2']],
  ['a folder and a local service', async () => filePorts(await newFolder()), oneClient('local'), ['API v2']],
  ['memory and a pool', memory, onePool, Object.keys(submissions)],
  ['a folder and a pool', async () => filePorts(await newFolder()), onePool, Object.keys(submissions)],
])(
  'a submitted body is parsed once and its workflow written once, for %s',
  async (_, open, connect, ways) => {
    const { platform, sent } = takingService();
    await using client = connect(platform);
    const ports = await open();
    await using gateway = createGateway({ ...ports, client, authorize: () => ({ name: 'ann' }) });
    for (const way of ways) {
      for (const seed of ['7', largeSeed]) {
        const { id, counts } = await countedSubmission(gateway, submissions[way]!(seed));
        expect([way, seed, ...counts]).toEqual([way, seed, 1, 1]);
        expect(sent().at(-1)).toContain(`"seed":${seed}}`);
        expect((await ports.index.get(id))?.workflow[1]?.inputs['seed']).toEqual(
          seed === largeSeed ? BigInt(seed) : 7,
        );
      }
    }
    expect(sent()).toHaveLength(2 * ways.length);
  },
);
