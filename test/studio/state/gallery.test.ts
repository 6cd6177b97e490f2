import { describe, expect, it } from 'vitest';
import { filterItems, noFilter } from '../../../src/page/studio/state/filter-items.js';
import {
  type GalleryChange,
  type Item,
  itemsOf,
  openGallery,
} from '../../../src/page/studio/state/gallery.js';
import { initialJobState } from '../../../src/node.js';
import { NEVER, Subject, VirtualTimeScheduler } from 'rxjs';
import { openGalleries } from '../../../src/page/studio/state/galleries.js';
import type { Remote, RemoteJob } from '../../../src/remote.js';
import { unzipSync } from 'fflate';
import { zipOutputs } from '../../../src/page/studio/state/zip-outputs.js';

const job = (id: string, metadata: Readonly<Record<string, string>> = {}): RemoteJob => ({
  ...{ id, createdAt: 1, expiresAt: 2, metadata },
  state: {
    ...initialJobState({ promptId: id }),
    phase: 'completed',
    outputs: {
      7: {
        images: [
          { filename: `${id}.png`, subfolder: '', type: 'output' },
          { filename: 'p.png', type: 'temp' },
        ],
      },
    },
  },
});

const listing = (pages: readonly (readonly RemoteJob[])[]): Pick<Remote, 'list'> => ({
  list: ({ after } = {}) => {
    const at = Number(after ?? 0);
    return Promise.resolve({ jobs: pages[at] ?? [], ...(at + 1 < pages.length && { next: String(at + 1) }) });
  },
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('openGallery', () => {
  it('loads page after page, and shows each job once', async () => {
    const changes = new Subject<GalleryChange>();
    const gallery = openGallery(listing([[job('c'), job('b')], [job('a')]]), changes);
    changes.next({ type: 'ended', job: job('c') });
    gallery.more();
    gallery.more();
    await turn();
    expect(gallery.state.value).toMatchObject({ isKnown: true, isLoading: false, next: '1' });
    gallery.more();
    await turn();
    gallery.more();
    expect(gallery.state.value.items.map(({ filename }) => filename)).toEqual(['c.png', 'b.png', 'a.png']);
    changes.next({ type: 'deleted', id: 'b' });
    expect(gallery.state.value.items).toHaveLength(2);
  });

  it('takes what it has missed from the first page of the gateway, and keeps what stands on later ones', async () => {
    const changes = new Subject<GalleryChange>();
    const at = (id: string, createdAt: number): RemoteJob => ({ ...job(id), createdAt });
    const pages = [
      [at('d', 4), at('c', 3)],
      [at('b', 2), at('a', 1)],
    ];
    const gallery = openGallery(listing(pages), changes);
    const shown = () => gallery.state.value.items.map(({ jobId }) => jobId);
    changes.next({ type: 'stale' });
    for (let loaded = 0; loaded < pages.length; loaded += 1) {
      gallery.more();
      await turn();
    }
    expect(shown()).toEqual(['d', 'c', 'b', 'a']);
    const before = gallery.state.value;
    changes.next({ type: 'stale' });
    await turn();
    expect(gallery.state.value).toBe(before);
    // In another browser `d` was deleted and `e` was made.
    pages[0] = [at('e', 5), at('c', 3)];
    changes.next({ type: 'stale' });
    await turn();
    expect(shown()).toEqual(['e', 'c', 'b', 'a']);
  });

  it('says why a page did not come, and asks for it again', async () => {
    let tries = 0;
    const list = () =>
      (tries += 1) === 1 ? Promise.reject(new Error('It is away.')) : Promise.resolve({ jobs: [job('a')] });
    const gallery = openGallery({ list }, NEVER);
    gallery.more();
    await turn();
    expect(gallery.state.value.failure?.message).toBe('It is away.');
    gallery.more();
    await turn();
    expect(gallery.state.value).toMatchObject({ items: [{ jobId: 'a' }] });
    expect(gallery.state.value.failure).toBeUndefined();
  });
});

describe('openGalleries', () => {
  it('lets the gateway find what a person looks for, once the hands rest, and tells all lists what happens', async () => {
    const asked: object[] = [];
    const scheduler = new VirtualTimeScheduler();
    const galleries = openGalleries(
      {
        list: (options = {}) => {
          asked.push(options);
          return Promise.resolve({ jobs: [job(options.text === undefined ? 'all' : 'found')] });
        },
      },
      scheduler,
    );
    const shown = (): readonly string[] =>
      galleries.found.value.store.state.value.items.map(({ jobId }) => jobId);
    galleries.all.more();
    await turn();
    galleries.search(noFilter);
    for (const text of ['l', 'li', 'light']) galleries.search({ ...noFilter, text, since: '2026-11-26' });
    expect(asked).toHaveLength(1);
    scheduler.flush();
    expect(shown()).toEqual(['all']);
    await turn();
    expect(shown()).toEqual(['found']);
    expect(asked[1]).toMatchObject({ text: 'light', since: new Date(2026, 10, 26).getTime(), limit: 100 });
    const createdAt = new Date(2026, 10, 27).getTime();
    const ended = (id: string, prompt: string) => ({
      type: 'ended' as const,
      job: { ...job(id, { 'studio.prompt': prompt }), createdAt },
    });
    galleries.tell(ended('other', 'a storm'));
    galleries.tell(ended('alike', 'a lighthouse'));
    expect(shown()).toEqual(['alike', 'found']);
    expect(galleries.all.state.value.items.map(({ jobId }) => jobId)).toEqual(['alike', 'other', 'all']);
    galleries.tell({ type: 'deleted', id: 'found' });
    expect(shown()).toEqual(['alike']);
    galleries.search(noFilter);
    scheduler.flush();
    expect(shown()).toEqual(['alike', 'other', 'all']);
    galleries.close();
  });
});

describe('filterItems', () => {
  const items: readonly Item[] = [
    ...itemsOf(
      job('a', {
        workflow: 'Portrait',
        'studio.prompt': 'a lighthouse',
        'studio.batch': 'x',
        'studio.place': '1',
      }),
    ),
    ...itemsOf(
      job('b', {
        workflow: 'Portrait',
        'studio.prompt': 'a storm',
        'studio.batch': 'x',
        'studio.place': '0',
      }),
    ),
    ...itemsOf({ ...job('c', { workflow: 'Sound' }), createdAt: new Date(2026, 10, 26, 12).getTime() }),
  ];
  const found = (filter: object) => filterItems(items, { ...noFilter, ...filter }).map(({ jobId }) => jobId);

  it.each([
    [{}, ['a', 'b', 'c']],
    [{ text: 'LIGHT a' }, ['a']],
    [{ workflow: 'Portrait' }, ['a', 'b']],
    [{ since: '2026-11-26' }, ['c']],
    [{ since: '2026-11-26', until: '2026-11-26' }, ['c']],
    [{ until: '2026-11-25' }, ['a', 'b']],
    [{ batch: 'x' }, ['b', 'a']],
    [{ kind: 'video' }, []],
  ])('finds by %j', (filter, ids) => {
    expect(found(filter)).toEqual(ids);
  });
});

describe('zipOutputs', () => {
  it('gives each file a name of its own, without folders, and names what is gone', async () => {
    const items = ['../a.png', '../a.png', 'gone.png'].map((filename) => ({
      ...itemsOf(job('a'))[0]!,
      filename,
    }));
    const of = ({ filename }: Pick<Item, 'filename'>) =>
      Promise.resolve(
        filename === 'gone.png' ? undefined : ({ blob: () => Promise.resolve(new Blob(['bytes'])) } as never),
      );
    const zip = await zipOutputs(items, { of }, () => undefined);
    const files = unzipSync(new Uint8Array(await zip.arrayBuffer()));
    expect(Object.keys(files)).toEqual(['__a.png', '__a-2.png', 'missing.txt']);
  });
});
