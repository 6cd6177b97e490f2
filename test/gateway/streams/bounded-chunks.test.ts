import { expect, it } from 'vitest';
import { opened, life, playedGateway, submitted } from '../support.js';
import { settle } from '../../helpers/settle.js';

it('gives a reader the pictures of many nodes in bounded pieces, and all readers the same bytes', async () => {
  const gateway = await playedGateway();
  const { record } = await submitted(gateway);
  const scope = { owner: 'alice', jobId: record.id };
  gateway.service.jobs[0]!.move(life('p1')[1]!);
  for (let node = 1; node <= 20; node += 1)
    gateway.service.jobs[0]!.frame({
      _tag: 'Preview',
      mediaType: 'image/jpeg',
      image: new Uint8Array(27_000),
      promptId: 'p1',
      nodeId: String(node),
    });
  await settle();
  const form = { view: 'v2', format: 'sse', base: '' } as const;
  const large = async (): Promise<readonly Uint8Array[]> => {
    const reader = (await opened(gateway, scope, form, {})).getReader();
    const chunks: Uint8Array[] = [];
    for (let previews = 0; previews < 20;) {
      const chunk = (await reader.read()).value!;
      expect(chunk.length).toBeLessThan(65_536);
      if (chunk.length > 30_000) {
        chunks.push(chunk);
        previews += 1;
      }
    }
    await reader.cancel();
    return chunks;
  };
  const [one, another] = [await large(), await large()];
  expect(one.every((chunk, at) => chunk === another[at])).toBe(true);
});
