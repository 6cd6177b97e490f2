import { filePorts } from '../../../src/gateway-node.js';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Random } from '../../simulation/random.js';
import { join } from 'node:path';
import { startChild } from './start-child.js';
import { tmpdir } from 'node:os';

/** What became of a folder whose processes were killed. */
export interface KilledStores {
  readonly kills: number;
  /** How many jobs and events were confirmed. */
  readonly confirmed: number;
  readonly problems: readonly string[];
}

/** Kills one process after the other that writes to one folder, each after some confirmations, and looks for all that was confirmed. */
export const killStores = async (kills: number, random: Random): Promise<KilledStores> => {
  const folder = await mkdtemp(join(tmpdir(), 'promptwire-kills-'));
  const problems: string[] = [];
  /** The positions of the events of each job. */
  const jobs = new Map<string, string[]>();
  const read = (line: string): void => {
    const [what, id = '', position = ''] = line.split(' ');
    if (what === 'job') jobs.set(id, []);
    else if (what === 'event') jobs.get(id)?.push(position);
    else if (what !== 'open') problems.push(line);
  };
  const look = async (): Promise<void> => {
    const { index, log, close } = await filePorts(folder, { onDamage: (message) => problems.push(message) });
    for (const [id, positions] of jobs) {
      const record = await index.get(id);
      if (record === undefined) {
        problems.push(`${id} is lost`);
        continue;
      }
      const page = await log.read({ owner: record.owner, jobId: id }, undefined, 99);
      const ids = page.events.map((event) => event.id);
      if (positions.some((position, at) => ids[at] !== position)) problems.push(`events of ${id} are lost`);
    }
    await close();
  };
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      // Large workflows fill the database's log, so that it makes tables of it now and then.
      const { child, said, lines, ended } = await startChild([
        folder,
        'load',
        String(kill),
        random.chance(0.3) ? 'text' : '',
      ]);
      await said(/^(?:job|event|refused|damage|InvalidConfig)/u, random.between(1, 120));
      child.kill('SIGKILL');
      await ended;
      lines.forEach(read);
      if (kill % 20 === 19 || kill === kills - 1) await look();
    }
    const confirmed = [...jobs.values()].reduce((sum, { length }) => sum + 1 + length, 0);
    return { kills, confirmed, problems };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
