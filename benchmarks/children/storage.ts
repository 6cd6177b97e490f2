import { lastValueFrom } from 'rxjs';
import { startEmulator, textToImageWorkflow } from '../../src/emulator.js';
import { createClient, outputFiles } from '../../src/node.js';
import { answering } from '../tools/answering.js';

/** The emulator with one file, which has as many bytes as the question says: the rest is made while it is sent. */
const starting = (async () => {
  const emulator = await startEmulator({ speed: Infinity });
  await using client = createClient(emulator);
  const job = client.run(textToImageWorkflow({ width: 64, height: 64, steps: 1 }));
  const [file] = outputFiles((await lastValueFrom(job)).outputs);
  const content = await client.rest.view(file!)();
  if (content._tag === 'Left') throw content.left;
  content.right.discard();
  return { emulator, file, ownSize: content.right.size ?? NaN };
})();

answering(async (bytes: number) => {
  const { emulator, file, ownSize } = await starting;
  emulator.setFaults([{ on: 'storage', do: 'oversize', bytes: bytes - ownSize, times: 'every' }]);
  const { baseUrl, apiKey } = emulator;
  return { baseUrl, apiKey, file };
});
