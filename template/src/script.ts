// One picture: from a prompt to a file.
import { createClient } from 'promptwire/promises';
import { openService } from './service.js';
import { workflow } from './workflow.js';

const [, , prompt = 'a lighthouse at dusk'] = process.argv;
const service = await openService();
const client = createClient(service);

const { files } = await client.generate(workflow, {
  inputs: { 'Prompt.text': prompt },
  into: 'outputs',
  onState: ({ phase, progress }) => console.log(phase, `${Math.round(progress * 100)} %`),
});
for (const { title, path } of files) console.log(title, path);

await client.close();
await service.close();
