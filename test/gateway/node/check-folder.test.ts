import { checkFolder, filePorts } from '../../../src/gateway-node.js';
import { ClassicLevel } from 'classic-level';
import { describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { newFolder } from './ports-in-a-folder.js';
import { open, readdir, rm } from 'node:fs/promises';

const record = (id: string, owner = 'alice') => ({
  ...{ id, owner, client: 'default', createdAt: 1, expiresAt: 10, submissionId: `s-${id}` },
  ...{ workflow: {}, key: `k-${id}` },
});
const cancelled = (at: number) => ({ type: 'cancelRequested', at }) as const;

/** A folder with three jobs of two owners, and their events. */
const filled = async (): Promise<string> => {
  const folder = await newFolder();
  const { index, log, close } = await filePorts(folder, { sync: false });
  for (const [id, owner] of [
    ['a', 'alice'],
    ['b', 'alice'],
    ['c', 'bob'],
  ] as const) {
    await index.add(record(id, owner));
    await log.append(owner, id, [cancelled(1), cancelled(2)]);
  }
  await close();
  return folder;
};

/** Changes what stands below keys. */
const change = async (folder: string, work: (level: ClassicLevel) => Promise<unknown>): Promise<void> => {
  const level = new ClassicLevel(join(folder, 'store'));
  await work(level);
  await level.close();
};

/** What a start says, and what it knows then. */
const started = async (folder: string) => {
  const told: string[] = [];
  const { index, log, close } = await filePorts(folder, {
    sync: false,
    onDamage: (message) => told.push(message),
  });
  const jobs = (await index.list(undefined, { limit: 9 })).map(({ id }) => id);
  const eventsOf = async (owner: string, jobId: string) => {
    const { events, gap } = await log.read({ owner, jobId }, undefined, 9);
    return gap ? 'gap' : events.length;
  };
  const events = [await eventsOf('alice', 'a'), await eventsOf('alice', 'b'), await eventsOf('bob', 'c')];
  await close();
  return { told, jobs, events };
};

describe('the start of a folder', () => {
  it('K3: sets a job aside that can’t be read, keeps its key used, and costs no other job', async () => {
    const folder = await filled();
    await change(folder, (level) => level.put('job!b', 'no value'));
    const first = await started(folder);
    expect(first.jobs).toEqual(['c', 'b', 'a']);
    expect(first.events).toEqual([2, 2, 2]);
    expect(first.told.slice(0, 2)).toEqual([
      "The entry job!b can't be read.",
      "The job b of alice can't be read, so it ends as failed.",
    ]);
    // Once: from then on all is well, and what could not be read is still there.
    expect((await started(folder)).told).toEqual([]);
    await change(folder, async (level) => expect(await level.get('damaged!job\\u0021b')).toBe('no value'));
    const { index, close } = await filePorts(folder, { sync: false });
    expect(await index.add({ ...record('d'), key: 'k-b' })).toMatchObject({
      ...{ _tag: 'keyUsed', existing: { id: 'b', owner: 'alice', key: 'k-b', unreadable: true } },
    });
    expect(await index.add({ ...record('d'), key: 'k-d' })).toMatchObject({ _tag: 'added' });
    await close();
  });

  it('K3: finds a loss by the counts and the last positions of an owner, and says how far it goes', async () => {
    const folder = await filled();
    await change(folder, (level) => level.del('event!alice!0000000000000004'));
    const first = await started(folder);
    expect(first.told).toContain('Events of the job b of alice up to 4 are lost.');
    expect(first.events).toEqual([2, 'gap', 2]);
    expect((await started(folder)).told).toEqual([]);
  });

  it('K3: takes an event in the midst for a gap, and says so when it is read', async () => {
    const folder = await filled();
    await change(folder, (level) => level.put('event!alice!0000000000000003', 'x'));
    const first = await started(folder);
    expect(first.events).toEqual([2, 'gap', 2]);
    expect(first.told).toContain("The entry event!alice!0000000000000003 can't be read or is missing.");
  });

  it('K3: tells of events whose job is not there, and forgets them', async () => {
    const folder = await filled();
    const keys = ['job!b', 'workflow!b', 'key!alice!k-b'];
    await change(folder, async (level) => {
      const lists = (await level.keys().all()).filter(
        (key) => /^job-(?:of|order)!/u.test(key) && key.endsWith('!b'),
      );
      await level.batch([...keys, ...lists].map((key) => ({ type: 'del' as const, key })));
    });
    const first = await started(folder);
    expect(first.jobs).toEqual(['c', 'a']);
    expect(first.told).toContain(
      'The job b of alice is not there, but 2 of its events are: its record is lost, or a process ended while it forgot the job.',
    );
    expect(first.events).toEqual([2, 'gap', 2]);
    expect((await started(folder)).told).toEqual([]);
  });

  it('K3: begins the log of an owner anew whose head is lost, so that no former position means another event', async () => {
    const folder = await filled();
    const { log, close } = await filePorts(folder, { sync: false });
    const before = await log.position('alice');
    await close();
    await change(folder, (level) => level.del('owner!alice'));
    const { told, events } = await started(folder);
    expect(told).toContain('The log of alice begins anew after event 4: positions from before it are gone.');
    expect(events).toEqual([2, 2, 2]);
    const again = await filePorts(folder, { sync: false });
    expect((await again.log.read({ owner: 'alice' }, before, 9)).gap).toBe(true);
    const [next] = await again.log.append('alice', 'a', [cancelled(3)]);
    expect(next).toMatch(/-5$/u);
    expect(next?.split('-')[0]).not.toBe(before.split('-')[0]);
    await again.close();
  });

  it.each(['MANIFEST-', 'CURRENT', '.ldb'])(
    'K6: names the repair where %s is damaged, which makes of it what can be read',
    async (name) => {
      const folder = await filled();
      // The next start makes a table of the log.
      await (await filePorts(folder, { sync: false })).close();
      const names = await readdir(join(folder, 'store'));
      const path = join(folder, 'store', names.find((one) => one.includes(name)) ?? '');
      if (name === 'CURRENT') await rm(path);
      else {
        const file = await open(path, 'r+');
        await file.write(Buffer.alloc(20, 0xff), 0, 20, 0);
        if (name === '.ldb') await file.truncate(40);
        await file.close();
      }
      const refused = await filePorts(folder).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(refused).toMatchObject({
        _tag: 'InvalidConfig',
        message: expect.stringContaining('--repair') as string,
      });
      const found = await checkFolder(folder);
      expect([found.isWhole, found.problems.length > 0]).toEqual([false, true]);
      const repaired = await checkFolder(folder, { repair: true });
      expect(repaired.isWhole).toBe(true);
      const { told, jobs, events } = await started(folder);
      expect(told).toEqual([]);
      if (name !== '.ldb')
        expect([jobs, events]).toEqual([
          ['c', 'b', 'a'],
          [2, 2, 2],
        ]);
    },
  );
});

describe('checkFolder', () => {
  it('finds nothing in a folder that is whole, and changes nothing', async () => {
    const folder = await filled();
    expect(await checkFolder(folder)).toEqual({ problems: [], isWhole: true });
    expect(await checkFolder(folder, { repair: true })).toEqual({ problems: [], isWhole: true });
  });

  it('K6: reads every event, finds one that is lost in the midst, and makes it a gap', async () => {
    const folder = await filled();
    await change(folder, (level) => level.del('event!alice!0000000000000003'));
    const { problems, isWhole } = await checkFolder(folder);
    expect(isWhole).toBe(false);
    expect(problems).toContain('Events 3 to 3 of alice are lost.');
    expect((await checkFolder(folder)).problems).toEqual(problems);
    expect((await checkFolder(folder, { repair: true })).isWhole).toBe(true);
    expect((await checkFolder(folder)).problems).toEqual([]);
    expect((await started(folder)).events).toEqual([2, 'gap', 2]);
  });

  it('K6: tells of events whose job is not there, and forgets them where it repairs', async () => {
    const folder = await filled();
    const { index, close } = await filePorts(folder, { sync: false });
    await index.remove('b');
    await close();
    const expected =
      'The job b of alice is not there, but 2 of its events are: its record is lost, or a process ended while it forgot the job.';
    for (let time = 0; time < 2; time += 1)
      expect(await checkFolder(folder)).toEqual({ problems: [expected], isWhole: false });
    expect(await checkFolder(folder, { repair: true })).toEqual({ problems: [expected], isWhole: true });
    expect(await checkFolder(folder)).toEqual({ problems: [], isWhole: true });
    expect((await started(folder)).events).toEqual([2, 'gap', 2]);
  });

  it('K6: finds a workflow that can’t be read', async () => {
    const folder = await filled();
    await change(folder, (level) => level.put('workflow!b', '{}'));
    expect((await checkFolder(folder, { repair: true })).problems).toContain(
      "The entry workflow!b can't be read.",
    );
    expect((await started(folder)).jobs).toEqual(['c', 'b', 'a']);
  });

  it('K4: leaves a folder alone that a gateway has, and refuses one that holds no store', async () => {
    const folder = await filled();
    const { close } = await filePorts(folder);
    await expect(checkFolder(folder)).rejects.toMatchObject({
      message: expect.stringContaining('Another gateway') as string,
    });
    await close();
    const other = await newFolder();
    await expect(checkFolder(other)).rejects.toMatchObject({ _tag: 'InvalidConfig' });
    expect(await readdir(other)).toEqual([]);
  });
});
