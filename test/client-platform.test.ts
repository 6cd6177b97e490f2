import { createClientOn } from '../src/client/client.js';
import { describe, expect, it } from 'vitest';
import { fakePlatform, type FakePlatform } from './helpers/fake-platform.js';
import * as fromBrowser from '../src/browser.js';
import * as fromBun from '../src/bun.js';
import * as fromNode from '../src/node.js';
import type { HttpRequest, HttpResponse, Platform, SocketHandle, SocketListener } from '../src/node.js';

const baseUrl = 'https://service.example';

/** A platform whose functions are methods, with state that only they reach. */
class ClassPlatform implements Platform {
  readonly #fake: FakePlatform = fakePlatform(() => ({ body: { queue_running: [], queue_pending: [] } }));
  readonly clock = this.#fake.clock;
  closes = 0;

  get requests(): readonly HttpRequest[] {
    return this.#fake.requests;
  }
  get sockets() {
    return this.#fake.sockets;
  }
  random(): number {
    return this.#fake.random();
  }
  uuid(): string {
    return this.#fake.uuid();
  }
  openSocket(url: string, listener: SocketListener): SocketHandle {
    return this.#fake.openSocket(url, listener);
  }
  request(request: HttpRequest): Promise<HttpResponse> {
    return this.#fake.request(request);
  }
  close(): Promise<void> {
    this.closes += 1;
    return Promise.resolve();
  }
}

describe('a platform of the user', () => {
  it("takes the place of the entry's own, and is closed with the client", async () => {
    const [own, platform] = [fakePlatform(), new ClassPlatform()];
    const client = createClientOn(own, { baseUrl, platform });
    const subscription = client.frames.subscribe();
    expect(await client.rest.queue()()).toMatchObject({ _tag: 'Right' });
    expect(platform.sockets).toHaveLength(1);
    subscription.unsubscribe();
    await client.close();
    expect(platform.closes).toBe(1);
    expect([own.requests, own.sockets]).toEqual([[], []]);
  });

  it.each([
    ['Node.js', fromNode],
    ['Bun', fromBun],
    ['a page', fromBrowser],
  ])(
    'is taken by the entry of %s, which offers its own to build on',
    async (_, { createClient, defaultPlatform }) => {
      const fake = fakePlatform(() => ({ body: { queue_running: [], queue_pending: [] } }));
      await using client = createClient({
        baseUrl,
        platform: { ...defaultPlatform(), request: fake.request },
      });
      expect(await client.rest.queue()()).toMatchObject({ _tag: 'Right' });
      expect(fake.requests.map(({ url }) => url)).toEqual(['https://service.example/api/queue']);
    },
  );
});
