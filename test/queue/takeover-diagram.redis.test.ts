import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aQueue, playedClient } from './worker/a-worker.js';
import { describeRedis } from './describe-redis.js';
import { drawLanes, type LaneMark } from '../../docs/marbles/draw-lanes.js';
import { root } from '../../scripts/entries.mjs';

describeRedis((server) => {
  it('the diagram queue-takeover is what the code does', async () => {
    const { queue, work, phaseOf } = aQueue(server());
    const [first, second] = [playedClient(), playedClient()];
    const marks = new Map<string, LaneMark[]>();
    let step = 0;
    const mark = (lane: string, label: string, tone?: LaneMark['tone']): void => {
      marks.set(lane, [...(marks.get(lane) ?? []), { atMs: (step += 1), label, tone }]);
    };
    const calls = ({ service }: typeof first): readonly string[] =>
      service.calls.map((call) => call.replace(/^follow .*/u, 'follow the job'));

    const id = await queue.add({ 1: { class_type: 'SaveImage', inputs: {} } });
    mark('program', 'add');
    const worker = work(first.client);
    await expect.poll(() => first.service.calls).toHaveLength(2);
    for (const call of calls(first)) mark('worker one', call);
    const { promptId } = first.service.submitted[0]!;
    first.service.move(promptId, 'in_progress');
    mark('service', 'in_progress');
    await expect.poll(() => phaseOf(id)).toBe('running');
    mark('program', 'running');
    await worker.close();
    mark('worker one', 'ends', 'bad');
    work(second.client);
    await expect.poll(() => second.service.calls).toHaveLength(1);
    for (const call of calls(second)) mark('worker two', call);
    second.service.move(promptId, 'completed');
    mark('service', 'completed', 'good');
    await expect.poll(() => phaseOf(id)).toBe('completed');
    mark('program', 'completed', 'good');

    const lanes = ['program', 'worker one', 'worker two', 'service'].map((name) => ({
      name,
      marks: marks.get(name) ?? [],
    }));
    const title = 'A worker ends, and another one goes on with its job: one submission';
    const picture = drawLanes({ name: 'queue-takeover', title, lanes, unit: 'order' });
    await expect(picture).toMatchFileSnapshot(join(root, 'docs', 'diagrams', 'queue-takeover.svg'));
  });
});
