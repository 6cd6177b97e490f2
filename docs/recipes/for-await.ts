// A script: submit, wait, save. No subscription in sight.
import { render, type ServiceError } from 'promptwire';
import { textToImageWorkflow } from 'promptwire/emulator';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lastValueFrom } from 'rxjs';
import { connect } from './service.js';

const { client, close } = await connect();

const explain = (error: ServiceError): void => {
  console.error(render(error));
  process.exitCode = 1;
};

const submitted = await client.submit(
  textToImageWorkflow({ prompt: 'mountains', steps: 6, width: 64, height: 64 }),
)();
if (submitted._tag === 'Left') {
  explain(submitted.left);
} else {
  const job = submitted.right;
  console.log(`job ${job.promptId}`);
  for await (const state of job) console.log(state.phase, `${Math.round(state.progress * 100)} %`);

  const outputs = await job.outputs();
  if (outputs._tag === 'Left') {
    explain(outputs.left);
  } else {
    const folder = await mkdtemp(join(tmpdir(), 'pictures-'));
    const { files } = await lastValueFrom(client.download(outputs.right, folder));
    for (const { path, bytes } of files) console.log(`${path} (${bytes} bytes)`);
  }
}
await close();
