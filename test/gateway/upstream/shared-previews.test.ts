import { describe, expect, it } from 'vitest';
import { isTerminal } from '../../../src/core/state/job-state.js';
import { life, playedGateway, playedService, submitted, workflow } from '../support.js';
import type { Preview } from '../../../src/core/protocol/frames/frame.js';
import { Subject } from 'rxjs';
import type { Upstream } from '../../../src/server/gateway/upstream/upstream.js';

const picture: Preview = { _tag: 'Preview', nodeId: '2', mediaType: 'image/png', image: new Uint8Array([7]) };

describe('previews that an upstream hands to every process', () => {
  /** A service whose previews come by the ids of submissions. */
  const setUp = async () => {
    const service = playedService('jobs');
    const asked: string[] = [];
    let pictures = new Subject<Preview>();
    const upstream: Upstream = {
      ...service,
      previews: (id) => {
        asked.push(id);
        return pictures;
      },
    };
    const gateway = await playedGateway({ upstreams: { default: upstream } }, service);
    const { record } = await submitted(gateway);
    const shown = async () => (await gateway.jobs.preview({ name: 'alice' }, record.id, '2'))?.bytes[0];
    return {
      ...{ gateway, record, asked, shown },
      pictures: () => pictures,
      renew: () => {
        pictures = new Subject();
      },
    };
  };

  it('are those of a job while it runs, asked for once, and again with its next news after they failed', async () => {
    const { gateway, record, asked, shown, pictures, renew } = await setUp();
    const [played] = gateway.service.jobs;
    const states = life(record.submissionId, 3);
    played!.move(states[1]!);
    await gateway.clock.advance(0);
    expect(asked).toEqual([record.submissionId]);
    pictures().next(picture);
    expect(await shown()).toBe(7);
    const broken = pictures();
    renew();
    broken.error(new Error('The queue is away.'));
    played!.move(states[3]!);
    await gateway.clock.advance(0);
    expect(asked).toHaveLength(2);
    pictures().next({ ...picture, image: new Uint8Array([8]) });
    expect(await shown()).toBe(8);
    const count = asked.length;
    pictures().complete();
    played!.move(states.at(-1)!);
    await gateway.clock.advance(0);
    expect(isTerminal((await gateway.jobs.get({ name: 'alice' }, record.id))!.state.phase)).toBe(true);
    pictures().next({ ...picture, image: new Uint8Array([9]) });
    await gateway.clock.advance(1_000);
    expect([await shown(), asked.length]).toEqual([undefined, count]);
    await gateway.jobs.close();
    expect(pictures().observed).toBe(false);
  });

  it('are those of further jobs as well, after one that is deleted and one of a service that hands out none', async () => {
    const [plain, sharing] = [playedService('jobs'), playedService('jobs')];
    const asked: string[] = [];
    const previews = (id: string) => {
      asked.push(id);
      return new Subject<Preview>();
    };
    const gateway = await playedGateway({ upstreams: { plain, sharing: { ...sharing, previews } } });
    const on = async (client: string) => {
      const answer = await gateway.jobs.submit({ name: 'alice' }, { workflow, client });
      if (answer._tag !== 'accepted') throw new Error(answer._tag);
      const service = client === 'plain' ? plain : sharing;
      return { id: answer.job.record.id, played: service.jobs.at(-1)! };
    };
    const first = await on('plain');
    first.played.move(life(first.played.promptId).at(-1)!);
    await gateway.clock.advance(0);
    await gateway.jobs.delete({ name: 'alice' }, first.id);
    const second = await on('sharing');
    second.played.move(life(second.played.promptId)[1]!);
    await gateway.clock.advance(0);
    expect(asked).toEqual([second.played.promptId]);
  });
});
