import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { emulated, picture, reaches, slow, submit } from '../helpers/emulated.js';
import { isTerminal, type JobState } from '../../src/core/state/job-state.js';
import { lastValueFrom, toArray } from 'rxjs';
import { outputFiles } from '../../src/core/state/output-files.js';
import { phasesOf } from '../helpers/phases-of.js';
import { toPromise } from '../../src/core/interop/to-promise.js';

describe.each(['interface', '2026'] as const)('a job of the %s profile', (profile) => {
  it('goes through its phases to complete outputs, by one submission', async () => {
    const { client, submissions } = await emulated({ profile });
    const states = await lastValueFrom(client.run(picture()).pipe(toArray()));
    expect(phasesOf(states)).toEqual(['submitting', 'pending', 'in_progress', 'completed']);
    const last = states.at(-1)!;
    expect(last).toMatchObject({ progress: 1, outputsComplete: true, nodeCount: 8, warnings: [] });
    expect(Object.values(last.nodes).map(({ phase }) => phase)).toEqual(Array(8).fill('finished'));
    const amounts = states.map(({ progress }) => progress);
    expect(amounts).toEqual(amounts.toSorted((a, b) => a - b));
    expect(submissions()).toHaveLength(1);
  });

  it('names files whose content is what the service made', async () => {
    const { client } = await emulated({ profile });
    const job = await submit(client, picture());
    const files = outputFiles(await toPromise(job.outputs));
    expect(files.map(({ nodeId, type, mediaType }) => [nodeId, type, mediaType])).toEqual([
      ['9', 'output', 'image/png'],
      ['10', 'temp', 'image/png'],
    ]);
    for (const file of files) {
      const { body } = await toPromise(client.rest.view(file));
      const digest = createHash('sha256');
      for await (const chunk of body) digest.update(chunk);
      expect(`${digest.digest('hex')}.png`).toBe(file.filename);
    }
  });

  it('is read by for await, up to one terminal state', async () => {
    const { client } = await emulated({ profile });
    const states: JobState[] = [];
    for await (const state of await submit(client, picture())) states.push(state);
    expect(states.filter(({ phase }) => isTerminal(phase))).toHaveLength(1);
    expect(states.at(-1)?.phase).toBe('completed');
  });

  it('gives its frames from the first one on: events, pictures and texts, each with job and node', async () => {
    const { client } = await emulated({ profile });
    const workflow = {
      ...picture(4),
      11: { class_type: 'PreviewText', inputs: { source: ['8', 0] } },
    };
    const job = await submit(client, workflow);
    const frames = await lastValueFrom(job.frames.pipe(toArray()));

    const events = frames.flatMap((frame) => (frame._tag === 'Event' ? [frame.type] : []));
    expect(events[0]).toBe('execution_start');
    expect(new Set(events)).toEqual(
      new Set([
        'execution_start',
        'execution_cached',
        'executing',
        'progress',
        'progress_state',
        'executed',
        'execution_success',
      ]),
    );

    const previews = frames.filter((frame) => frame._tag === 'Preview');
    expect(previews.length).toBeGreaterThan(0);
    for (const { promptId, nodeId, displayNodeId, mediaType, image } of previews) {
      expect({ promptId, nodeId, displayNodeId }).toEqual({
        promptId: job.promptId,
        nodeId: '3',
        displayNodeId: '3',
      });
      expect(mediaType).toBe('image/jpeg');
      expect([...image.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    }
    const named = profile === '2026' ? { promptId: job.promptId } : {};
    expect(frames.filter(({ _tag }) => _tag === 'Text')).toMatchObject([
      { nodeId: '11', text: 'picture 64 × 64', ...named },
    ]);
    expect((await lastValueFrom(job.states)).nodes['11']?.text).toBe('picture 64 × 64');
  });

  it('is followed by another client, while it runs and after its end', async () => {
    const { client, newClient } = await emulated({ profile, speed: 20 });
    const job = await submit(client, slow());
    await reaches(job, 'in_progress');
    const follower = newClient();
    const following = lastValueFrom(follower.follow(job.promptId).pipe(toArray()));
    await toPromise(job.cancel());
    expect(phasesOf(await following).at(-1)).toBe('cancelled');
    expect(phasesOf(await lastValueFrom(follower.follow(job.promptId).pipe(toArray())))).toEqual([
      'cancelled',
    ]);
  });

  it('F10: uses what ran before: the second run of a workflow is cached and has the same outputs', async () => {
    const { client } = await emulated({ profile });
    const workflow = picture();
    const first = await lastValueFrom(client.run(workflow));
    const second = await lastValueFrom(client.run(workflow));
    expect(second.outputs).toEqual(first.outputs);
    expect(second.nodes['9']?.phase).not.toBe('running');
    expect(second.promptId).not.toBe(first.promptId);
  });

  it.each([
    ['standard', 1],
    ['creator', 3],
  ] as const)('of many on the %s tier: at most %i at once, each to its end', async (tier, atOnce) => {
    const { client, submissions } = await emulated({ profile, tier }, { tier });
    const open = new Set<number>();
    let most = 0;
    const states = client.runAll(Array.from({ length: 6 }, () => picture(1)));
    const ends = new Map<number, string>();
    await states.forEach(({ index, state }) => {
      if (isTerminal(state.phase)) open.delete(index);
      else open.add(index);
      most = Math.max(most, open.size);
      ends.set(index, state.phase);
    });
    expect(most).toBe(atOnce);
    expect([...ends].toSorted(([a], [b]) => a - b)).toEqual([0, 1, 2, 3, 4, 5].map((i) => [i, 'completed']));
    expect(submissions()).toHaveLength(6);
  });

  it('F5: waits in the queue while the tier has no place for it', async () => {
    const { client } = await emulated({ profile, tier: 'standard', speed: 20 });
    const first = await submit(client, slow());
    const second = await submit(client, picture(1));
    await reaches(first, 'in_progress');
    const queue = await toPromise(client.rest.queue());
    expect(queue).toMatchObject({
      running: [{ promptId: first.promptId }],
      pending: [{ promptId: second.promptId }],
    });
    await toPromise(first.cancel());
    expect(await lastValueFrom(first.states)).toMatchObject({ phase: 'cancelled' });
    expect(await lastValueFrom(second.states)).toMatchObject({ phase: 'completed' });
  });
});
