import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, isTerminal, outputFiles, type Workflow } from '../../src/node.js';
import { filter, firstValueFrom } from 'rxjs';
import { jobAssetsEndpoint } from '../../src/core/endpoints/job-assets.js';
import { startEmulator } from '../../src/emulator.js';

const workflow: Workflow = {
  1: { class_type: 'EmptyImage', inputs: { width: 64, height: 64, batch_size: 2, color: 0 } },
  2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'a' } },
};

describe('the files of a job in the cloud', () => {
  it('are listed with their outputs, and have short links where these are asked for', async () => {
    const emulator = await startEmulator({ profile: '2026-11', speed: Infinity });
    const client = createClient(emulator);
    onTestFinished(async () => {
      await client.close();
      await emulator.close();
    });
    const { promptId, outputs } = await firstValueFrom(
      client.run(workflow).pipe(filter(({ phase }) => isTerminal(phase))),
    );
    const assets = await client.rest.jobAssets(promptId)();
    expect(assets).toMatchObject({
      right: outputFiles(outputs).map(({ filename }, outputIndex) => ({
        ...{ name: filename, nodeId: '2', outputKey: 'images', outputIndex },
        shortUrl: expect.stringMatching(/^\/api\/s\//u) as string,
      })),
    });
    for (const [shortLinks, sent] of [
      [undefined, null],
      ['owner', 'default'],
      ['public', 'ephemeral_tool_chain'],
    ] as const) {
      const detail = await client.rest.jobDetail(promptId, { shortLinks })();
      const { url } = emulator.requests.at(-1)!;
      expect(new URL(url, emulator.baseUrl).searchParams.get('short_link')).toBe(sent);
      expect(JSON.stringify(detail).includes('short_url')).toBe(sent !== null);
    }
  });

  it('are read without what is odd, and a list that is none is refused', () => {
    const { read } = jobAssetsEndpoint('p');
    const odd = [{ id: 'a', name: 'b', size: '7', node_id: null, output_index: null }, { id: 1 }, null];
    expect(read({ assets: odd }, '')).toEqual({ _tag: 'Right', right: [{ id: 'a', name: 'b' }] });
    expect(read({ assets: {} }, '')).toEqual({ _tag: 'Left', left: 'the answer lists no assets' });
  });
});
