import { life, playedGateway, playedService } from '../support.js';
import { checkStore } from '../../../src/server/gateway/store/check/check-store.js';
import { eventLogIn } from '../../../src/server/gateway/store/event-log.js';
import { expect, it } from 'vitest';
import fc from 'fast-check';
import { assetIndexIn } from '../../../src/server/gateway/store/asset-index.js';
import { jobIndexIn } from '../../../src/server/gateway/store/job-index.js';
import { ids, ownerOf, recordOf } from './four-jobs.js';
import type { LifecycleEvent } from '../../../src/core/events/job-log-event.js';
import { MemoryLevel } from 'memory-level';
import { runs } from '../../helpers/runs.js';
import { statusOf } from '../../../src/core/events/state-members.js';
import { storeOf } from '../../../src/server/gateway/store/store.js';
import { templateStoreIn } from '../../../src/server/gateway/store/template-store.js';
import { webhookStoreIn } from '../../../src/server/gateway/store/webhook-store.js';

const portsOf = (level: MemoryLevel) => {
  const store = storeOf(level);
  return {
    index: jobIndexIn(store),
    log: eventLogIn(store),
    assets: assetIndexIn(store, () => 0),
    webhookStore: webhookStoreIn(store),
    templateStore: templateStoreIn(store),
  };
};

/** Everything that a gateway keeps of four jobs, of which one has ended; and the events of each. */
const filledLevel = async () => {
  const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
  await level.open();
  await checkStore(level, { now: 1, all: false, repair: true, tell: () => undefined });
  const { index, log, assets, webhookStore, templateStore } = portsOf(level);
  for (const id of ids) await index.add(recordOf(id, ownerOf(id)));
  await index.update('c', { promptId: 'p', ended: { phase: 'completed', at: 5 } });
  const end: LifecycleEvent = { type: 'status', at: 3, status: statusOf(life('p').at(-1)!) };
  for (let round = 0; round < 3; round += 1)
    for (const id of ids)
      await log.append(ownerOf(id), id, [
        id === 'c' && round === 2 ? end : { type: 'cancelRequested', at: round },
      ]);
  await assets.put({
    ...{ id: 'u', owner: 'alice', client: 'default', hash: 'h', sizeBytes: 3, contentType: 'image/png' },
    ...{ createdAt: 1, expiresAt: 99, stored: { name: 'u.png', subfolder: '', type: 'input' } },
  });
  await webhookStore.put({
    owner: 'bob',
    url: 'https://a.example/',
    events: [],
    secrets: [],
    createdAt: 1,
    from: '',
  });
  await webhookStore.progressed('bob', 'd', { position: 'x-1' });
  await templateStore.put(
    {
      ...{ owner: 'alice', name: 'portrait', inputs: {}, jsonSchema: {}, createdAt: 1, updatedAt: 1 },
      workflow: recordOf('t', 'alice').workflow,
    },
    { maxTemplates: 9, maxSize: 10_000 },
  );
  return level;
};

/** What one damage does, to the nth entry and with the text. */
const damage = fc.record({
  way: fc.constantFrom('remove', 'replace', 'cut', 'flip', 'swap', 'move', 'stray'),
  nth: fc.nat(10_000),
  other: fc.nat(10_000),
  text: fc.oneof(fc.string(), fc.json(), fc.constantFrom('null', '{}', '[]', '""', '00000000 null')),
});

const damageIt = async (
  level: MemoryLevel,
  entries: readonly (readonly [string, string])[],
  { way, nth, other, text }: { way: string; nth: number; other: number; text: string },
): Promise<void> => {
  const [key, value] = entries[nth % entries.length]!;
  const [otherKey, otherValue] = entries[other % entries.length]!;
  const at = other % Math.max(1, value.length);
  if (way === 'remove') await level.del(key);
  else if (way === 'replace') await level.put(key, text);
  else if (way === 'cut') await level.put(key, value.slice(0, at));
  else if (way === 'flip') await level.put(key, `${value.slice(0, at)}#${value.slice(at + 1)}`);
  else if (way === 'swap') {
    await level.put(key, otherValue);
    await level.put(otherKey, value);
  } else if (way === 'move') {
    await level.del(key);
    await level.put(`${key}${text}`, value);
  } else await level.put(`${key.slice(0, 1 + (other % key.length))}${text}`, otherValue);
};

it('K3: starts with whatever became of keys and values, and loses no job whose own are whole', async () => {
  const whole = await filledLevel();
  const entries = await whole.iterator().all();
  const before = portsOf(whole);
  const eventsOf = async ({ log }: Pick<ReturnType<typeof portsOf>, 'log'>, jobId: string) =>
    (await log.read({ owner: ownerOf(jobId), jobId }, undefined, 99)).events.map(({ event }) => event);
  const events = new Map(await Promise.all(ids.map(async (id) => [id, await eventsOf(before, id)] as const)));
  const records = new Map(
    await Promise.all(ids.map(async (id) => [id, await before.index.get(id)] as const)),
  );
  const eventKeysOf = (id: string): readonly string[] =>
    entries.flatMap(([key, text]) =>
      key === `log!${ownerOf(id)}!${id}` ||
      key.startsWith(`event-of!${ownerOf(id)}!${id}!`) ||
      (key.startsWith('event!') && text.includes(`"jobId":"${id}"`))
        ? [key]
        : [],
    );

  await fc.assert(
    fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 4 }), async (damages) => {
      const level = new MemoryLevel<string, string>({ storeEncoding: 'utf8' });
      await level.open();
      await level.batch(entries.map(([key, value]) => ({ type: 'put', key, value })));
      const touched = new Set<string>();
      for (const one of damages) await damageIt(level, entries, one);
      const now = new Map(await level.iterator().all());
      for (const [key, value] of entries) if (now.get(key) !== value) touched.add(key);

      const told: string[] = [];
      const options = { now: 1, repair: true, tell: (message: string) => told.push(message) };
      await checkStore(level, { ...options, all: false });
      const again: string[] = [];
      await checkStore(level, { ...options, all: false, tell: (message) => again.push(message) });
      expect(again).toEqual([]);

      const ports = portsOf(level);
      for (const id of ids) {
        const isWhole = ![`job!${id}`, `workflow!${id}`, `submission!${id}`].some((key) => touched.has(key));
        const kept = await ports.index.get(id);
        if (isWhole) {
          expect(kept).toEqual(records.get(id));
          expect(await ports.index.add(recordOf('new', ownerOf(id)))).toMatchObject({ _tag: 'added' });
          const repeated = { ...recordOf('twice', ownerOf(id)), key: `key of ${id}` };
          expect(await ports.index.add(repeated)).toEqual({ _tag: 'keyUsed', existing: records.get(id) });
          await ports.index.remove('new');
          expect((await ports.index.list(ownerOf(id), { limit: 9 })).map((one) => one.id)).toContain(id);
        } else expect(told.length > 0 || kept?.unreadable === true).toBe(true);
        if (!eventKeysOf(id).some((key) => touched.has(key)))
          expect(await eventsOf(ports, id)).toEqual(events.get(id));
      }
      const listed = await ports.templateStore.list('alice');
      if (!touched.has('template!alice!portrait')) expect(listed).toHaveLength(1);
      const isWholeTemplate = !touched.has('template-body!alice!portrait') && listed.length === 1;
      expect((await ports.templateStore.get('alice', 'portrait')) !== undefined).toBe(isWholeTemplate);
      const { jobs } = await playedGateway(ports, playedService('jobs'));
      await jobs.close();

      const found: string[] = [];
      await checkStore(level, { ...options, all: true });
      await checkStore(level, { ...options, all: true, tell: (message) => found.push(message) });
      expect(found).toEqual([]);
    }),
    // Each starts a gateway. `PROMPTWIRE_RUNS=4 npx vitest run --project properties test/gateway/store/damage.test.ts` plays 10,000.
    { numRuns: runs(2_500) < 2_500 ? 40 : runs(2_500) },
  );
}, 900_000);

it('K3: takes no job for lost whose id a stray key begins with', async () => {
  const level = await filledLevel();
  const { index } = portsOf(level);
  const before = await index.get('a');
  await level.put('job!a!', 'stray');
  await checkStore(level, { now: 1, all: false, repair: true, tell: () => undefined });
  expect(await index.get('a')).toEqual(before);
});
