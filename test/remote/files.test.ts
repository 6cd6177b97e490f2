import { describe, expect, it, vi } from 'vitest';
import { aRemote } from './a-remote.js';
import { lastValueFrom, Subject, tap, toArray } from 'rxjs';
import { life, submitted } from '../gateway/support.js';
import { objectUrls } from '../../src/page/remote/object-urls.js';
import type { Preview } from '../../src/core/protocol/frames/frame.js';

const picture = (promptId: string, byte: number): Preview => ({
  _tag: 'Preview',
  mediaType: 'image/png',
  image: new Uint8Array([byte]),
  promptId,
  nodeId: '2',
});

describe('the files of a remote', () => {
  it('shows the previews of a job while it runs, and asks for one at a time', async () => {
    let open = 0;
    let most = 0;
    const setting = await aRemote({
      before: ({ path }) => {
        if (path.includes('/previews/')) most = Math.max(most, (open += 1));
        return undefined;
      },
      after: ({ path }) => {
        if (path.includes('/previews/')) open -= 1;
      },
    });
    const { remote, service, clock } = setting;
    const ids = [(await submitted(setting)).record.id, (await submitted(setting)).record.id];
    let arrived = 0;
    const seen = ids.map((id) =>
      lastValueFrom(
        remote.previews(id).pipe(
          tap(() => (arrived += 1)),
          toArray(),
        ),
      ),
    );
    await clock.advance(1_000);
    for (const [index, job] of service.jobs.entries()) job.move(life(`p${index + 1}`)[1]!);
    for (let byte = 1; byte <= 3; byte += 1) {
      for (const [index, job] of service.jobs.entries()) job.frame(picture(`p${index + 1}`, byte));
      // The gateway signs the ticket of a preview in a thread, which takes real time: the clock goes on little meanwhile.
      await vi.waitFor(
        async () => {
          await clock.advance(10);
          expect(arrived).toBe(byte * ids.length);
        },
        { timeout: 20_000, interval: 5 },
      );
      // The next picture of a node is shown after a tenth of a second.
      await clock.advance(1_000);
    }
    for (const [index, job] of service.jobs.entries()) job.move(life(`p${index + 1}`).at(-1)!);
    const all = await clock.until(Promise.all(seen));
    for (const [index, previews] of all.entries()) {
      expect(previews.map(({ image }) => image[0])).toEqual([1, 2, 3]);
      expect(previews[0]).toMatchObject({ mediaType: 'image/png', promptId: ids[index], nodeId: '2' });
    }
    expect(most).toBe(1);
  });

  it('lists the outputs of a job, fetches them, and gives links that open without a token', async () => {
    const setting = await aRemote();
    const { remote, service, clock } = setting;
    const { record } = await submitted(setting);
    for (const state of life('p1', 1)) service.jobs[0]?.move(state);
    await clock.advance(1_000);
    const outputs = await remote.outputs(record.id);
    expect(outputs.map(({ filename, nodeId, mediaType }) => [filename, nodeId, mediaType])).toEqual([
      ['0a.png', '2', 'image/png'],
      ['0b.png', '2', 'image/png'],
    ]);
    const links = await Promise.all(outputs.map((output) => output.link()));
    expect(links[0]).toMatch(new RegExp(`^${outputs[0]?.url}\\?ticket=[\\w.-]+$`, 'u'));
    expect(setting.asked.filter(({ path }) => path === '/watch-tokens')).toHaveLength(1);
    // The played service has lost its files.
    await expect(clock.until(outputs[0]!.blob())).rejects.toMatchObject({ _tag: 'NotFound' });
  });

  it('gives links that open the files of their own job alone', async () => {
    const setting = await aRemote({ accepts: () => 'secret', token: 'secret' });
    const { remote, service, clock, open } = setting;
    const links = [];
    for (const promptId of ['p1', 'p2']) {
      const { record } = await submitted(setting);
      for (const state of life(promptId, 1)) service.jobs.at(-1)!.move(state);
      await clock.advance(1_000);
      const [output] = await remote.outputs(record.id);
      links.push({ url: output!.url, link: await output!.link() });
    }
    const [one, other] = links;
    const ticket = one!.link.slice(one!.url.length);
    // The played service has lost its files.
    expect((await open(one!.link)).status).toBe(404);
    expect([(await open(other!.url + ticket)).status, (await open(one!.url)).status]).toEqual([401, 401]);
  });

  it('R2: says which outputs are temporary, and lists those only where it is asked to', async () => {
    const setting = await aRemote();
    const { remote, service, clock } = setting;
    const { record } = await submitted(setting);
    const state = life('p1', 0).at(-1)!;
    const of = (filename: string, type: string) => ({ images: [{ filename, subfolder: '', type }] });
    service.jobs[0]?.move({ ...state, outputs: { 2: of('a.png', 'output'), 3: of('p.png', 'temp') } });
    await clock.advance(1_000);
    const listed = async (include?: 'temp') =>
      (await remote.outputs(record.id, { include })).map(({ filename, type }) => [filename, type]);
    expect(await listed()).toEqual([['a.png', 'output']]);
    expect(await listed('temp')).toEqual([
      ['a.png', 'output'],
      ['p.png', 'temp'],
    ]);
  });

  it('asks for a ticket again where it failed, and after a minute', async () => {
    let isDown = true;
    const setting = await aRemote({
      before: ({ path }) => {
        if (path === '/watch-tokens' && isDown) throw new TypeError('fetch failed');
        return undefined;
      },
    });
    const { remote, service, clock } = setting;
    const { record } = await submitted(setting);
    for (const state of life('p1', 1)) service.jobs[0]?.move(state);
    await clock.advance(1_000);
    const [output] = await remote.outputs(record.id);
    await expect(output!.link()).rejects.toMatchObject({ _tag: 'Network' });
    isDown = false;
    const link = await output!.link();
    expect(link).toMatch(/\?ticket=[\w.-]+$/u);
    await clock.advance(60_000);
    expect(await output!.link()).toBe(link);
    await clock.advance(1);
    expect(await output!.link()).not.toBe(link);
    expect(setting.asked.filter(({ path }) => path === '/watch-tokens')).toHaveLength(3);
  });

  it('sends a file with its type and name, and tells what the gateway calls it', async () => {
    const { remote, asked, clock } = await aRemote({
      before: ({ method }) =>
        method === 'POST'
          ? Response.json({ name: 'a b.png', subfolder: '', type: 'input', asset: { id: 'x' }, sizeBytes: 3 })
          : undefined,
    });
    const file = new File(['abc'], 'a b.png', { type: 'image/png' });
    expect(await clock.until(lastValueFrom(remote.upload(file).pipe(toArray())))).toEqual([
      { _tag: 'uploading', sent: 0, size: 3 },
      { _tag: 'uploaded', file: { name: 'a b.png', subfolder: '', type: 'input', asset: { id: 'x' } } },
    ]);
    expect([asked[0]?.path, asked[0]?.headers.get('content-type')]).toEqual(['/uploads', 'image/png']);
  });

  it('releases the address of each picture when the next one is there, and the last one at the end', () => {
    const made = vi.spyOn(URL, 'createObjectURL').mockReturnValueOnce('blob:1').mockReturnValueOnce('blob:2');
    const released = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
    const pictures = new Subject<Preview>();
    const seen: string[] = [];
    const watching = pictures.pipe(objectUrls()).subscribe((url) => seen.push(url));
    pictures.next(picture('a', 1));
    expect(released.mock.calls).toEqual([]);
    pictures.next(picture('a', 2));
    expect(released.mock.calls).toEqual([['blob:1']]);
    watching.unsubscribe();
    expect(released.mock.calls).toEqual([['blob:1'], ['blob:2']]);
    expect([seen, made.mock.calls.length]).toEqual([['blob:1', 'blob:2'], 2]);
  });

  it('makes the address of the bytes and their type, and passes on how the pictures end', async () => {
    const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1');
    const released = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
    const ends: unknown[] = [];
    const refused = new Error('refused');
    for (const end of ['error', 'complete'] as const) {
      const pictures = new Subject<Preview>();
      pictures.pipe(objectUrls()).subscribe({
        error: (error: unknown) => ends.push(error),
        complete: () => ends.push('over'),
      });
      pictures.next(picture('a', 7));
      if (end === 'error') pictures.error(refused);
      else pictures.complete();
    }
    expect([ends, released.mock.calls.length]).toEqual([[refused, 'over'], 2]);
    const blob = made.mock.calls[0]?.[0] as Blob;
    expect([blob.type, [...new Uint8Array(await blob.arrayBuffer())]]).toEqual(['image/png', [7]]);
  });

  it('fetches the bytes of an output, and takes anything but files for no answer', async () => {
    const file = { id: 'o 1', nodeId: '2', filename: 'a.png', mediaType: 'image/png' };
    let answer: unknown = { files: [file] };
    const bodies: unknown[] = [];
    const setting = await aRemote({
      before: ({ path, headers }) => {
        if (path.endsWith('/outputs/o%201')) return new Response('bytes');
        if (path === '/watch-tokens') {
          bodies.push(headers.get('content-type'));
          return Response.json({ ticket: 'x' }, { status: 201 });
        }
        return Response.json(answer);
      },
    });
    const { remote, clock } = setting;
    const [output] = await remote.outputs('j');
    expect(output).toMatchObject({ ...file, url: 'http://gateway.test/jobs/j/outputs/o%201' });
    expect(await (await output!.blob()).text()).toBe('bytes');
    expect([await output!.link(), bodies]).toEqual([`${output!.url}?ticket=x`, ['application/json']]);
    for (const wrong of [
      [],
      { files: 7 },
      { files: [7] },
      ...Object.keys(file).map((name) => ({ files: [{ ...file, [name]: 7 }] })),
    ]) {
      answer = wrong;
      await expect(clock.until(remote.outputs('j'))).rejects.toMatchObject({ _tag: 'Decode' });
    }
  });

  it('names a file without a name, and takes an answer that names none for no answer', async () => {
    let answer: unknown = { name: 'x', asset: { id: 'a' } };
    const { remote, clock, asked } = await aRemote({ before: () => Response.json(answer) });
    const upload = () => clock.until(lastValueFrom(remote.upload(new Blob(['abc']))));
    expect(await upload()).toEqual({
      ...{ _tag: 'uploaded', file: { name: 'x', subfolder: '', type: 'input', asset: { id: 'a' } } },
    });
    expect([asked[0]?.search, asked[0]?.headers.get('content-type')]).toEqual([
      ...['?filename=file', 'application/octet-stream'],
    ]);
    for (const wrong of [
      [],
      { name: 7, asset: { id: 'a' } },
      { name: 'x' },
      { name: 'x', asset: { id: 7 } },
    ]) {
      answer = wrong;
      await expect(upload()).rejects.toMatchObject({ _tag: 'Decode' });
    }
    answer = { name: 'x', subfolder: 's', type: 'temp', asset: { id: 'a' } };
    await clock.until(lastValueFrom(remote.upload(new Blob(['abc'], { type: 'a/b' }), { filename: 'n m' })));
    expect([asked.at(-1)?.search, asked.at(-1)?.headers.get('content-type')]).toEqual([
      '?filename=n%20m',
      'a/b',
    ]);
  });
});
