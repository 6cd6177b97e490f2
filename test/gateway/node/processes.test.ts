import { describe, expect, it } from 'vitest';
import { killStores } from './kill-stores.js';
import { newFolder } from './ports-in-a-folder.js';
import { randomOf } from '../../simulation/random.js';
import { startChild } from './start-child.js';

describe('processes over one folder', () => {
  it('K4: have it one after the other, and the second learns that it is in use', async () => {
    const folder = await newFolder();
    const first = await startChild([folder]);
    await first.said(/^open$/u);
    const second = await startChild([folder]);
    expect(await second.said(/./u)).toEqual([
      `InvalidConfig Another gateway has the folder ${folder}: two can't share one.`,
    ]);
    first.child.stdin.end();
    await first.said(/^ended$/u);
    const third = await startChild([folder]);
    await third.said(/^open$/u);
    third.child.kill('SIGKILL');
    await third.ended;
    // A lock of a process that was killed is none.
    const fourth = await startChild([folder]);
    await fourth.said(/^open$/u);
    fourth.child.stdin.end();
    await fourth.ended;
  });

  it('K1: are killed while they write, and lose nothing that they have confirmed', async () => {
    const { confirmed, problems } = await killStores(4, randomOf(7, 1));
    expect(problems).toEqual([]);
    expect(confirmed).toBeGreaterThan(4);
  });
});
