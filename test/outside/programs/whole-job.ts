// Uploads, runs a job and saves its files, over a connection that may break; says what it saw, and ends by itself.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createClient, previews, toPromise } from 'promptwire';
import { textToImageWorkflow } from 'promptwire/emulator';
import { count, lastValueFrom } from 'rxjs';

const folder = await mkdtemp(join(tmpdir(), 'job-'));
await writeFile(join(folder, 'input.bin'), new Uint8Array(700_000).fill(7));

const seen = await (async () => {
  await using client = createClient({
    baseUrl: process.env['SERVICE_URL'] ?? '',
    apiKey: process.env['SERVICE_KEY'],
  });
  const fromDisk = await toPromise(client.rest.uploadImage(join(folder, 'input.bin')));
  const fromMemory = await toPromise(
    client.rest.uploadImage({ content: new Blob(['a']), filename: 'a.txt' }),
  );

  const job = await toPromise(client.submit(textToImageWorkflow({ width: 64, height: 64, steps: 6 })));
  const previewed = lastValueFrom(job.frames.pipe(previews(), count()));
  const phases = new Set<string>();
  for await (const { phase } of job) phases.add(phase);

  const { files } = await lastValueFrom(
    client.download(await toPromise(job.outputs), folder, { include: 'temp' }),
  );
  const signatures = files.map(async ({ path, bytes }) => {
    const content = await readFile(path);
    return [content.byteLength === bytes, content.toString('latin1', 1, 4)];
  });
  return {
    uploads: [fromDisk, fromMemory].map(({ name }) => typeof name),
    phases: [...phases],
    previews: await previewed,
    files: await Promise.all(signatures),
  };
})();

await rm(folder, { recursive: true });
console.log(JSON.stringify(seen));
