import { checkFolder, filePorts } from '../../../src/gateway-node.js';
import { cp, mkdtemp, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import type { Random } from '../../simulation/random.js';
import { join } from 'node:path';
import { tmpdir } from 'node:os';

/** What became of folders whose files were damaged. */
export interface DamagedFolders {
  readonly cases: number;
  /** How many starts succeeded at once, and how many named the repair, after which they did. */
  readonly started: number;
  readonly repaired: number;
  /** How many lost something, and said so. */
  readonly told: number;
  readonly problems: readonly string[];
}

const jobs = Array.from({ length: 24 }, (_, nth) => ({ id: `job-${nth}`, owner: `owner-${nth % 3}` }));
const rounds = 3;

/** As random as what a compressor leaves, so that the database makes tables of it. */
const noises: ReadonlyMap<string, string> = new Map(
  jobs.map(({ id }) => {
    const parts = Array.from({ length: 2_000 }, (_, at) => createHash('sha256').update(`${id} ${at}`));
    return [id, parts.map((part) => part.digest('base64')).join('')];
  }),
);
const noise = (id: string): string => noises.get(id) ?? '';

/** Everything that was stored, in its order: a job by its id, an event by the id and its time. */
type Written = readonly string[];

/** Jobs of three owners, each with events, written in several runs of a gateway. */
const fill = async (folder: string): Promise<Written> => {
  const written: string[] = [];
  for (const [half, part] of [jobs.slice(0, 16), jobs.slice(16)].entries()) {
    const { index, log, close } = await filePorts(folder, { sync: false });
    for (const { id, owner } of part) {
      await index.add({
        ...{ id, owner, client: 'default', createdAt: half, expiresAt: 9e15, submissionId: id },
        workflow: { 1: { class_type: 'A', inputs: { text: noise(id) } } },
      });
      written.push(id);
    }
    for (let at = 0; at < rounds; at += 1)
      for (const { id, owner } of part) {
        await log.append(owner, id, [{ type: 'cancelRequested', at }]);
        written.push(`${id} ${at}`);
      }
    await close();
  }
  return written;
};

/** Damages one of the files of the database. */
const damage = async (store: string, random: Random): Promise<string> => {
  const kind = random.pick(['.ldb', '.ldb', '.log', 'MANIFEST-', 'CURRENT']);
  const names = (await readdir(store)).filter((one) => one.includes(kind)).toSorted();
  if (names.length === 0) return 'nothing';
  const name = random.pick(names);
  const path = join(store, name);
  const { size } = await stat(path);
  const way = random.pick(['flip', 'flip', 'zero', 'cut', 'append', 'remove', 'empty']);
  const at = random.below(size + 1);
  if (way === 'remove') await rm(path);
  else if (way === 'empty') await writeFile(path, '');
  else {
    const file = await open(path, 'r+');
    const bytes = Buffer.from(
      Array.from({ length: random.between(1, 60) }, () => (way === 'zero' ? 0 : random.below(256))),
    );
    if (way === 'cut') await file.truncate(at);
    else await file.write(bytes, 0, bytes.length, way === 'append' ? size : at);
    await file.close();
  }
  return `${way} of ${name} at ${at} of ${size}`;
};

/** What a start finds, and what it says of it. */
interface Found {
  readonly present: ReadonlySet<string>;
  readonly told: readonly string[];
}

const namesRepair = (error: unknown): boolean => {
  const { _tag, message } = (error ?? {}) as { readonly _tag?: string; readonly message?: string };
  return _tag === 'InvalidConfig' && message?.includes('--check') === true && message.includes('--repair');
};

/** Opens the folder and reads all of it; undefined where it says that it needs a repair. */
const look = async (folder: string): Promise<Found | undefined> => {
  const told: string[] = [];
  const present = new Set<string>();
  const ports = await filePorts(folder, { sync: false, onDamage: (message) => told.push(message) }).catch(
    (error: unknown) => {
      if (namesRepair(error)) return undefined;
      throw error;
    },
  );
  if (ports === undefined) return undefined;
  try {
    for (const { id, owner } of jobs) {
      const record = await ports.index.get(id);
      if (record === undefined) continue;
      const text = record.workflow['1']?.inputs['text'];
      if (record.unreadable !== true && text !== noise(id)) throw new Error(`another workflow of ${id}`);
      if (record.unreadable !== true) present.add(id);
      const page = await ports.log.read({ owner, jobId: id }, undefined, 99);
      if (page.gap) told.push(`a gap of ${id}`);
      for (const { event } of page.events)
        if (event.type === 'cancelRequested') present.add(`${id} ${event.at}`);
    }
    return { present, told };
  } catch (error) {
    if (namesRepair(error)) return undefined;
    throw error;
  } finally {
    await ports.close().catch(() => undefined);
  }
};

/** Whether no more is missing than after a kill: what was written last. */
const isAsAfterAKill = (written: Written, present: ReadonlySet<string>): boolean => {
  const end = written.findIndex((one) => !present.has(one));
  return end === -1 || written.slice(end).every((one) => !present.has(one));
};

/**
 * Damages the files of LevelDB in a folder, one to three places in each case, and starts a gateway's ports over it. A start has to succeed
 * or to name the repair, which has to lead to a start that does; and what is lost has to be told, unless it is what a kill would have lost.
 */
export const damageFiles = async (
  { from, count }: { readonly from: number; readonly count: number },
  randomFor: (seed: number) => Random,
): Promise<DamagedFolders> => {
  const root = await mkdtemp(join(tmpdir(), 'promptwire-damage-'));
  const whole = join(root, 'whole');
  const problems: string[] = [];
  const counts = { started: 0, repaired: 0, told: 0 };
  try {
    const written = await fill(whole);
    for (let seed = from; seed < from + count; seed += 1) {
      const random = randomFor(seed);
      const folder = join(root, String(seed));
      await cp(whole, folder, { recursive: true });
      const damages: string[] = [];
      for (let times = random.between(1, 3); times > 0; times -= 1)
        damages.push(await damage(join(folder, 'store'), random));
      const said: string[] = [];
      try {
        let found = await look(folder);
        if (found === undefined) {
          const { isWhole, problems: repairs } = await checkFolder(folder, { repair: true });
          said.push(...repairs);
          if (!isWhole) throw new Error('the repair does not make it whole');
          found = await look(folder);
          if (found === undefined) throw new Error('it names the repair after the repair');
          counts.repaired += 1;
        } else counts.started += 1;
        said.push(...found.told);
        const isLost = written.some((one) => !found.present.has(one));
        if (isLost && said.length > 0) counts.told += 1;
        if (isLost && said.length === 0 && !isAsAfterAKill(written, found.present))
          throw new Error(
            `${written.filter((one) => !found.present.has(one)).join(', ')} lost, and nothing says so`,
          );
      } catch (error) {
        problems.push(`seed ${seed} (${damages.join('; ')}): ${(error as Error).message}`);
      }
      await rm(folder, { recursive: true, force: true });
    }
    return { cases: count, ...counts, problems };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
};
