import { join } from 'node:path';
import { mkdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { textToImageWorkflow, virtualClock } from '../../src/emulator.js';
import { jsonLines } from './helpers/json-lines.js';
import { workspace } from './helpers/workspace.js';

/** No server is there, so a command that gets as far as to ask it waits. */
const redis = 'redis://127.0.0.1:1';

describe('promptwire jobs, before it asks Redis', () => {
  it('adds no files under one key: the second job would be the first one', async () => {
    const { cli, file } = await workspace();
    const files = [
      await file('a.json', textToImageWorkflow({ width: 64, height: 64, steps: 2, seed: 1 })),
      await file('b.json', textToImageWorkflow({ width: 64, height: 64, steps: 2, seed: 2 })),
    ];
    const adding = cli(['jobs', 'add', ...files, '--job-key', 'k', '--redis', redis]);
    expect(await adding.exit).toBe(2);
    expect(adding.stderr()).toContain('--job-key takes one file');
    expect(adding.stdout()).toBe('');
  });

  it('R3 adds none of a folder that has a file without a workflow, and says so of one without files', async () => {
    const { cli, dir, file } = await workspace();
    await mkdir(join(dir, 'batch', 'inner'), { recursive: true });
    const empty = cli(['jobs', 'add', join(dir, 'batch'), '--redis', redis]);
    expect(await empty.exit).toBe(2);
    expect(empty.stderr()).toContain('there are no files in');
    await file('batch/a.json', textToImageWorkflow({ width: 64, height: 64, steps: 2, seed: 1 }));
    await file('batch/b.txt', 'a shopping list');
    const adding = cli(['jobs', 'add', join(dir, 'batch'), '--redis', redis]);
    expect(await adding.exit).toBe(2);
    expect(adding.stderr()).toContain('b.txt');
    expect(adding.stdout()).toBe('');
  });

  it.each([
    [['add'], 'jobs add takes one file or folder or more'],
    [['follow'], 'jobs follow takes one id'],
    [['follow', 'x', 'y'], 'jobs follow takes one id'],
    [['show'], 'jobs show takes one id or more'],
    [['cancel'], 'jobs cancel takes one id or more'],
    [['stats', 'x'], 'jobs stats takes no files or ids'],
    [['list', 'x'], 'jobs list takes no files or ids'],
    [['clear', 'x'], 'jobs clear takes no files or ids'],
    [['drain', 'x'], 'jobs drain takes no files or ids'],
    [['add', 'f', '--priority', '1.5'], 'whole number'],
    [['add', 'f', '--delay', '-1'], '--delay'],
    [['list', '--phase', 'lost'], '--phase'],
    [['dance'], 'dance'],
  ])('refuses %j', async (argv, message) => {
    const { cli } = await workspace();
    const running = cli(['jobs', ...argv, '--redis', redis]);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain(message);
  });
});

describe('promptwire jobs show, without a queue', () => {
  it('O6: prints where a job of the service waits and why, then when it ran and what it came to', async () => {
    const clock = virtualClock();
    const { cli, file } = await workspace({ profile: '2026-11', tier: 'standard', clock, speed: 1 });
    const path = await file('wf.json', textToImageWorkflow({ width: 64, height: 64, steps: 2, seed: 1 }));
    const ids: string[] = [];
    for (let nth = 0; nth < 2; nth += 1) {
      const submitting = cli(['run', path, '--detach']);
      expect(await submitting.exit).toBe(0);
      ids.push(submitting.stdout().trim());
    }
    const waiting = cli(['jobs', 'show', ids[1] ?? '']);
    expect(await waiting.exit).toBe(0);
    expect(waiting.stdout()).toMatch(/^\S+ pending, place 2 \(concurrency_limit\)\n {2}queued {3}\d{4}-/u);

    await clock.advance(120_000);
    const ended = cli(['jobs', 'show', ...ids, '--json']);
    expect(await ended.exit).toBe(0);
    const shown = jsonLines(ended.stdout()).filter(({ kind }) => kind === 'shown');
    expect(shown).toMatchObject(
      ids.map((id) => ({
        ...{ id, phase: 'completed', outputsComplete: true },
        endedAt: expect.any(Number) as number,
      })),
    );
    const unknown = cli(['jobs', 'show', '00000000-0000-4000-8000-000000000000']);
    expect(await unknown.exit).toBe(9);
  });
});

describe('promptwire worker, before it asks Redis', () => {
  it.each([
    [['--tier', '0'], 'number above 0'],
    [['--tier', 'gold'], 'number above 0'],
    [['--tier', '10000'], 'number above 0'],
    [['--grace', 'a-minute'], '--grace'],
  ])('refuses %j', async (argv, message) => {
    const { cli } = await workspace();
    const running = cli(['worker', ...argv, '--redis', redis]);
    expect(await running.exit).toBe(2);
    expect(running.stderr()).toContain(message);
  });
});
