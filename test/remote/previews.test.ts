import { describe, expect, it } from 'vitest';
import { Observable, Subject } from 'rxjs';
import type { HttpClient, RemoteRequest } from '../../src/page/remote/http-client.js';
import type { JobState } from '../../src/core/state/job-state.js';
import type { Feed } from '../../src/page/remote/feed.js';
import type { Preview } from '../../src/core/protocol/frames/frame.js';
import type { PreviewNews } from '../../src/page/remote/stream-event.js';
import { createPreviews } from '../../src/page/remote/previews.js';

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

/** Previews whose news, fetches and states the test plays. */
const setUp = () => {
  const news = new Subject<Feed>();
  const states = new Subject<JobState>();
  const previews = new Map<string, Map<string, PreviewNews>>();
  const fetches: {
    readonly path: string;
    readonly answer: (body: BodyInit, headers?: Readonly<Record<string, string>>) => void;
    readonly fail: () => void;
    isOpen: boolean;
  }[] = [];
  const request = ((
    request: RemoteRequest,
    read: (response: Response, next: (value: Preview) => void) => Promise<void>,
  ) =>
    new Observable<Preview>((subscriber) => {
      const one = {
        path: request.path,
        isOpen: true,
        answer: (
          body: BodyInit,
          headers: Readonly<Record<string, string>> = { 'content-type': 'image/png' },
        ) => {
          const response = new Response(body, { headers });
          void read(response, (value) => subscriber.next(value)).then(() => subscriber.complete());
        },
        fail: () => subscriber.error(new Error('gone')),
      };
      fetches.push(one);
      return () => void (one.isOpen = false);
    })) as unknown as HttpClient['request'];
  const of = createPreviews(news, { request } as HttpClient, () => states);
  const say = (job: string | undefined, nodeId?: string, id?: string): void => {
    if (job !== undefined && nodeId !== undefined && id !== undefined) {
      const own = previews.get(job) ?? new Map<string, PreviewNews>();
      previews.set(job, own.set(nodeId, { job, nodeId, id }));
    }
    news.next({ jobs: new Map(), previews, job });
  };
  const all: Preview[] = [];
  const watch = (id: string) => {
    const seen: string[] = [];
    const ends: unknown[] = [];
    const watching = of(id).subscribe({
      next: (preview) => {
        const { nodeId, image, mediaType, promptId } = preview;
        all.push(preview);
        seen.push(`${promptId} ${nodeId} ${image[0]} ${mediaType}`);
      },
      error: (error: unknown) => ends.push(error),
      complete: () => ends.push('over'),
    });
    return { seen, ends, watching };
  };
  return { news, states, fetches, previews, say, watch, all };
};

describe('the previews of a job', () => {
  it('are fetched one at a time, of each node the newest that there is when its turn comes', async () => {
    const { fetches, say, watch } = setUp();
    const { seen } = watch('a');
    say('a', '1', 'v1');
    say('a', '1', 'v2');
    await settle();
    expect(fetches.map(({ path }) => path)).toEqual(['/jobs/a/previews/1']);
    say('a', '1', 'v3');
    say('a', '2/x', 'v4');
    await settle();
    expect(fetches).toHaveLength(1);
    fetches[0]!.answer(new Uint8Array([1]));
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual(['a 1 1 image/png']);
    expect(fetches.map(({ path }) => path)).toEqual(['/jobs/a/previews/1', '/jobs/a/previews/1']);
    fetches[1]!.answer(new Uint8Array([3]));
    await new Promise((resolve) => setImmediate(resolve));
    fetches[2]!.answer(new Uint8Array([4]));
    await new Promise((resolve) => setImmediate(resolve));
    expect([seen.slice(1), fetches[2]!.path, fetches.length]).toEqual([
      ['a 1 3 image/png', 'a 2/x 4 image/png'],
      ...['/jobs/a/previews/2%2Fx', 3],
    ]);
  });

  it('take turns with those of other jobs, and are let go with their subscriber', async () => {
    const { fetches, say, watch } = setUp();
    const [one, two] = [watch('a'), watch('b')];
    say('a', '1', 'v1');
    say('b', '1', 'v2');
    say('none');
    await settle();
    expect(fetches.map(({ path }) => path)).toEqual(['/jobs/a/previews/1']);
    one.watching.unsubscribe();
    await settle();
    expect(fetches.map(({ path, isOpen }) => [path, isOpen])).toEqual([
      ['/jobs/a/previews/1', false],
      ['/jobs/b/previews/1', true],
    ]);
    say('a', '1', 'v3');
    two.watching.unsubscribe();
    await settle();
    expect(fetches).toHaveLength(2);
  });

  it('go on behind one that is gone, and are those that there are when they begin or after a snapshot', async () => {
    const { fetches, say, watch } = setUp();
    const { seen, ends } = watch('a');
    say('b', '1', 'v0');
    say('a', '1', 'v1');
    await settle();
    fetches[0]!.fail();
    await settle();
    expect([fetches.length, ends]).toEqual([1, []]);
    say(undefined, 'a');
    say('a', '1', 'v2');
    await settle();
    fetches[1]!.answer(new Uint8Array([2]));
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual(['a 1 2 image/png']);
    const late = watch('a');
    say('c');
    await settle();
    // The first news says what there is.
    expect(fetches).toHaveLength(3);
    late.watching.unsubscribe();
  });

  it('give their turn up where their subscriber leaves before it', async () => {
    const { fetches, say, watch } = setUp();
    const [one, two, three] = [watch('a'), watch('b'), watch('c')];
    say('a', '1', 'v1');
    say('b', '1', 'v2');
    say('c', '1', 'v3');
    two.watching.unsubscribe();
    await settle();
    fetches[0]!.answer(new Uint8Array([1]));
    await new Promise((resolve) => setImmediate(resolve));
    expect(fetches.map(({ path }) => path)).toEqual(['/jobs/a/previews/1', '/jobs/c/previews/1']);
    one.watching.unsubscribe();
    three.watching.unsubscribe();
  });

  it('are looked for after a snapshot as well, and say what they are', async () => {
    const { fetches, say, previews, watch, all } = setUp();
    const { watching } = watch('a');
    say('b', '1', 'v0');
    say('b', '1', 'v1');
    previews.set('a', new Map([['1', { job: 'a', nodeId: '1', id: 'v2' }]]));
    say('b', '1', 'v3');
    await settle();
    expect(fetches).toHaveLength(0);
    say(undefined);
    await settle();
    fetches[0]!.answer(new Uint8Array([5]), {});
    await new Promise((resolve) => setImmediate(resolve));
    expect(all).toEqual([
      { _tag: 'Preview', mediaType: '', image: new Uint8Array([5]), promptId: 'a', nodeId: '1' },
    ]);
    watching.unsubscribe();
  });

  it('end as the job does', async () => {
    const { states, watch, news } = setUp();
    const one = watch('a');
    states.complete();
    expect([one.ends, news.observed]).toEqual([['over'], false]);
    const other = setUp();
    const two = other.watch('a');
    const refused = new Error('refused');
    other.news.error(new Error('by the states'));
    other.states.error(refused);
    await settle();
    expect(two.ends).toEqual([refused]);
  });
});
